import { assetCommand, connectToAsset } from '../../connection.ts';
import { duration } from '../../duration.ts';
import { exitCodeOfOutcome } from '../../../judgement/exit-code.ts';
import { judgeFreshness } from '../../../judgement/freshness.ts';
import { freshnessTable } from '../../freshness-table.ts';
import type { Session } from '../../session.ts';
import { message, print } from '../../terminal.ts';

/** `dq freshness get`. */
export const getFreshness = (session: Session) =>
  assetCommand('get')
    .description(
      'show how old the data of an asset is; exit code 0 if it is fresh, 1 if it is stale, 6 if inconclusive',
    )
    .option(
      '--max-age <duration>',
      "oldest age allowed, such as 2h, in addition to the service's own threshold",
      duration,
    )
    .addHelpText('after', examples)
    .action(async (options) => {
      const { client, asset } = await connectToAsset(options);
      const freshness = await client.freshness.get(asset, { signal: session.signal });
      print(options.json, freshness, () => freshnessTable(freshness));
      const maxAgeMinutes = options.maxAge === undefined ? undefined : options.maxAge / 60_000;
      const { outcome, reason } = judgeFreshness(freshness, { maxAgeMinutes });
      if (reason !== undefined) message(`${outcome}: ${reason}`);
      session.exitCode = exitCodeOfOutcome(outcome);
    });

const examples = `
Examples:
  $ dq freshness get --asset 5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01
  $ dq freshness get --max-age 90m --json`;
