import { assetCommand, connectToAsset } from '../../connection.ts';
import type { Session } from '../../session.ts';
import { fieldTable } from '../../table.ts';
import { print } from '../../terminal.ts';

/** `dq rules summary`. */
export const summarizeRules = (session: Session) =>
  assetCommand('summary')
    .description('count the rules of an asset and their outcomes')
    .addHelpText('after', examples)
    .action(async (options) => {
      const { client, asset } = await connectToAsset(options);
      const summary = await client.validity.summary(asset, { signal: session.signal });
      print(options.json, summary, () => fieldTable(summary));
    });

const examples = `
Examples:
  $ dq rules summary
  $ dq rules summary --json`;
