import { assetCommand, connectToAsset } from '../../connection.ts';
import type { Session } from '../../session.ts';
import { print } from '../../terminal.ts';

/** `dq rules delete`. */
export const deleteRules = (session: Session) =>
  assetCommand('delete')
    .description('delete rules and their results')
    .argument('<rule-id...>', 'the uuids of the rules, v_…')
    .addHelpText('after', examples)
    .action(async (ruleIds, options) => {
      const { client, asset } = await connectToAsset(options);
      const deleted: string[] = [];
      for (const ruleId of ruleIds) {
        await client.validity.delete(asset, ruleId, { signal: session.signal });
        deleted.push(ruleId);
        session.progress = `deleted ${deleted.join(', ')}`;
      }
      print(options.json, { deleted }, () => `Deleted ${deleted.join(', ')}.`);
    });

const examples = `
Examples:
  $ dq rules delete v_2b7e1516-28ae-4d2a-a6ab-f7158809cf4f`;
