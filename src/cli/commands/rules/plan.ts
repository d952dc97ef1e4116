import { exitCode } from '../../../judgement/exit-code.ts';
import { paintChange } from '../../change-colors.ts';
import { assetCommand, connect } from '../../connection.ts';
import { environmentFlag, ownerFlag, tagFlag, variableFlag } from '../../definition-flags.ts';
import { warnOfMissingTables } from '../../missing-tables.ts';
import { perAsset } from '../../per-asset.ts';
import { readDefinitions, withAssets } from '../../read-definition.ts';
import type { Session } from '../../session.ts';
import { message, print } from '../../terminal.ts';

/** `dq rules plan`. */
export const planDefinition = (session: Session) =>
  assetCommand('plan')
    .description('show what a definition of rules and metrics would change; changes nothing')
    .argument('<definition...>', 'YAML or JSON files, which together are the definition')
    .option('--exit-code', 'exit with 1 if an asset differs from the definition')
    .addOption(environmentFlag())
    .addOption(variableFlag())
    .addOption(tagFlag())
    .addOption(ownerFlag())
    .addHelpText('after', examples)
    .action(async (files, options) => {
      const { hasChanges, plan, renderChanges, selectChanges } = await import('../../../rules/index.ts');
      const definitions = await readDefinitions(files, options);
      let headers: Headers | undefined;
      const client = await connect(options, { onResponse: (event) => void ({ headers } = event) });
      const plans = [];
      for (const { assetId, definition } of await withAssets(definitions, options)) {
        const changes = await plan(client, assetId, definition, { signal: session.signal });
        const selected = selectChanges(changes, options);
        plans.push(selected);
        const hidden = changes.delete.length - selected.delete.length;
        if (hidden > 0)
          message(`Not shown: ${hidden} to delete, as what only the service has is without owner and tags.`);
      }
      await warnOfMissingTables(client, plans, headers, session.signal);
      if (options.exitCode === true && plans.some(hasChanges)) session.exitCode = exitCode.badData;
      const { data, text } = perAsset(definitions, plans, (changes) => renderChanges(changes, paintChange));
      print(options.json, data, () => text);
    });

const examples = `
Examples:
  $ dq rules plan rules.yaml
  $ dq rules plan orders.yaml customers.yaml --environment staging --var limit=100
  $ dq rules plan rules.yaml --tag nightly --owner orders-team
  $ dq rules plan rules.yaml --exit-code || echo 'the asset has drifted'
  $ dq rules plan rules.yaml --json | jq '.delete | length'`;
