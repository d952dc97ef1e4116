import { assetCommand, connectToAsset } from '../../connection.ts';
import type { Session } from '../../session.ts';
import { fieldTable } from '../../table.ts';
import { print } from '../../terminal.ts';

/** `dq metrics summary`. */
export const summarizeMetrics = (session: Session) =>
  assetCommand('summary')
    .description('count the metrics of an asset and their outcomes')
    .addHelpText('after', examples)
    .action(async (options) => {
      const { client, asset } = await connectToAsset(options);
      const summary = await client.metrics.summary(asset, { signal: session.signal });
      print(options.json, summary, () => fieldTable(summary));
    });

const examples = `
Examples:
  $ dq metrics summary
  $ dq metrics summary --json`;
