import type { Freshness } from '../../../index.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import { duration } from '../../duration.ts';
import { type ExitCode, exitCode } from '../../exit-code.ts';
import { freshnessTable } from '../../freshness-table.ts';
import type { Session } from '../../session.ts';
import { print } from '../../terminal.ts';

/** `dq freshness get`. */
export const getFreshness = (session: Session) =>
  assetCommand('get')
    .description('show how old the data of an asset is; stale data ends with exit code 1, unknown age with 6')
    .option(
      '--max-age <duration>',
      "oldest age allowed, such as 2h; default the service's own threshold",
      duration,
    )
    .addHelpText('after', examples)
    .action(async (options) => {
      const { client, asset } = await connectToAsset(options);
      const freshness = await client.freshness.get(asset, { signal: session.signal });
      print(options.json, freshness, () => freshnessTable(freshness));
      session.exitCode = judge(freshness, options.maxAge);
    });

function judge({ status, data_age_minutes: age }: Freshness, maxAgeMs: number | undefined): ExitCode {
  if (maxAgeMs !== undefined && status?.toLowerCase() !== 'unknown' && typeof age === 'number') {
    return age <= maxAgeMs / 60_000 ? exitCode.done : exitCode.badData;
  }
  if (maxAgeMs !== undefined) return exitCode.inconclusive;
  return codes.get(status?.toLowerCase()) ?? exitCode.inconclusive;
}

const codes: ReadonlyMap<string | undefined, ExitCode> = new Map([
  ['fresh', exitCode.done],
  ['stale', exitCode.badData],
]);

const examples = `
Examples:
  $ dq freshness get --asset 5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01
  $ dq freshness get --max-age 90m --json`;
