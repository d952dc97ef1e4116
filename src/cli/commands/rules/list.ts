import { ruleTypes } from '../../../contract/vocabulary.ts';
import { choice } from '../../choice.ts';
import { connectToAsset } from '../../connection.ts';
import { collect, listingCommand, pageSize } from '../../listing.ts';
import { ruleTable } from '../../rule-table.ts';
import type { Session } from '../../session.ts';
import { print } from '../../terminal.ts';

/** `dq rules list`. */
export const listRules = (session: Session) =>
  listingCommand('list')
    .description('list the validity rules of an asset')
    .addOption(choice('--type <rule_type>', 'only rules of this type', ruleTypes))
    .option('--active', 'only active rules')
    .option('--no-active', 'only inactive rules')
    .addHelpText('after', examples)
    .action(async (options) => {
      const { client, asset } = await connectToAsset(options);
      const query = { rule_type: options.type, is_active: options.active, limit: pageSize(options) };
      const rules = await collect(client.validity.list(asset, query, { signal: session.signal }), options);
      print(options.json, rules, () => ruleTable(rules));
    });

const examples = `
Examples:
  $ dq rules list --asset 5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01
  $ dq rules list --type REGEX --active --all
  $ dq rules list --json | jq -r '.[].uuid'`;
