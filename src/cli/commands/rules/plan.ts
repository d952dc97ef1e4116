import { paintChange } from '../../change-colors.ts';
import { exitCode } from '../../../judgement/exit-code.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import type { Session } from '../../session.ts';
import { print } from '../../terminal.ts';
import { environmentFlag, readDefinition, variableFlag } from '../../read-definition.ts';

/** `dq rules plan`. */
export const planDefinition = (session: Session) =>
  assetCommand('plan')
    .description('show what a definition of rules and metrics would change; changes nothing')
    .argument('<definition...>', 'YAML or JSON files, which together are the definition')
    .option('--exit-code', 'exit with 1 if the asset differs from the definition')
    .addOption(environmentFlag())
    .addOption(variableFlag())
    .addHelpText('after', examples)
    .action(async (files, options) => {
      const { hasChanges, plan, renderChanges } = await import('../../../rules/index.ts');
      const definition = await readDefinition(files, {
        variables: options.var,
        environment: options.environment,
      });
      const { client, asset } = await connectToAsset(options);
      const changes = await plan(client, asset, definition, { signal: session.signal });
      if (options.exitCode === true && hasChanges(changes)) session.exitCode = exitCode.badData;
      print(options.json, changes, () => renderChanges(changes, paintChange).trimEnd());
    });

const examples = `
Examples:
  $ dq rules plan rules.yaml
  $ dq rules plan orders.yaml customers.yaml --environment staging --var limit=100
  $ dq rules plan rules.yaml --exit-code || echo 'the asset has drifted'
  $ dq rules plan rules.yaml --json | jq '.delete | length'`;
