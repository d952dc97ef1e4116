import { assetCommand, connectToAsset } from '../../connection.ts';
import { duration } from '../../duration.ts';
import { freshnessTable } from '../../freshness-table.ts';
import type { Session } from '../../session.ts';
import { message, print } from '../../terminal.ts';

/** `dq freshness wait`. */
export const waitForFreshness = (session: Session) =>
  assetCommand('wait')
    .description(
      'wait until the data of an asset is fresh; when time is up, exit code 1 if it is stale, 6 if inconclusive',
    )
    .option('--for <duration>', 'how long to wait; default 1h', duration)
    .option('--interval <duration>', 'time between two requests; default 30s', duration)
    .option(
      '--max-age <duration>',
      "oldest age allowed, such as 2h, in addition to the service's own threshold",
      duration,
    )
    .addHelpText('after', examples)
    .action(async (options) => {
      const { client, asset } = await connectToAsset(options);
      const wanted = {
        timeout: options.for,
        interval: options.interval,
        maxAgeMinutes: options.maxAge === undefined ? undefined : options.maxAge / 60_000,
      };
      message(`Waiting until ${asset} is fresh.`);
      session.progress = `${asset} was not fresh yet`;
      const freshness = await client.freshness.waitUntilFresh(asset, wanted, { signal: session.signal });
      print(options.json, freshness, () => freshnessTable(freshness));
    });

const examples = `
Examples:
  $ dq freshness wait --for 30m --interval 1m && ./nightly-load.sh
  $ dq freshness wait --max-age 2h --for 10m --json`;
