import { connectToAsset } from '../../connection.ts';
import { collect, listingCommand, pageSize } from '../../listing.ts';
import type { Session } from '../../session.ts';
import { judgeCheck } from '../../../judgement/check.ts';
import { formatPercent } from '../../../judgement/percent.ts';
import { paintedBy } from '../../status.ts';
import { table } from '../../table.ts';
import { print } from '../../terminal.ts';

/** `dq rules results`. */
export const listResults = (session: Session) =>
  listingCommand('results')
    .description('list what the checks of a rule found, newest first')
    .argument('<rule-id>', 'the uuid of the rule, v_…')
    .addHelpText('after', examples)
    .action(async (ruleId, options) => {
      const { client, asset } = await connectToAsset(options);
      const query = { limit: pageSize(options) };
      const request = client.validity.results(asset, ruleId, query, { signal: session.signal });
      const results = await collect(request, options);
      const row = (result: (typeof results)[number]) => [
        result.checked_at,
        paintedBy(judgeCheck(result).outcome, result.status),
        result.total_rows,
        result.invalid_count,
        typeof result.invalid_percent === 'number' ? formatPercent(result.invalid_percent) : undefined,
        result.execution_duration_ms,
      ];
      print(options.json, results, () =>
        results.length === 0
          ? 'No results: the rule was never checked.'
          : table(
              ['CHECKED AT', 'STATUS', 'ROWS', 'INVALID', 'PERCENT', 'MS'],
              results.map(row),
              [2, 3, 4, 5],
            ),
      );
    });

const examples = `
Examples:
  $ dq rules results v_2b7e1516-28ae-4d2a-a6ab-f7158809cf4f --limit 10
  $ dq rules results v_2b7e1516-28ae-4d2a-a6ab-f7158809cf4f --all --json`;
