import { assetCommand, connectToAsset } from '../../connection.ts';
import type { Session } from '../../session.ts';
import { fieldTable } from '../../table.ts';
import { print } from '../../terminal.ts';

/** `dq rules get`. */
export const getRule = (session: Session) =>
  assetCommand('get')
    .description('show one rule with its configuration')
    .argument('<rule-id>', 'the uuid of the rule, v_…')
    .addHelpText('after', examples)
    .action(async (ruleId, options) => {
      const { client, asset } = await connectToAsset(options);
      const rule = await client.validity.get(asset, ruleId, { signal: session.signal });
      print(options.json, rule, () => fieldTable(rule));
    });

const examples = `
Examples:
  $ dq rules get v_2b7e1516-28ae-4d2a-a6ab-f7158809cf4f
  $ dq rules get v_2b7e1516-28ae-4d2a-a6ab-f7158809cf4f --json | jq .rule_config`;
