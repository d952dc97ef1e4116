import { Command } from '@commander-js/extra-typings';

import { environmentFlag, variableFlag } from '../../definition-flags.ts';
import { readDefinitions } from '../../read-definition.ts';
import { print } from '../../terminal.ts';

/** `dq rules validate`. */
export const validateDefinition = () =>
  new Command('validate')
    .description('check that the files of a definition are valid, without a service or data')
    .argument('<definition...>', 'YAML or JSON files, which together are the definition')
    .addOption(environmentFlag())
    .addOption(variableFlag())
    .option('--json', 'print how much the definition contains as JSON')
    .addHelpText('after', examples)
    .action(async (files, { json, ...flags }) => {
      const definitions = await readDefinitions(files, flags);
      const tables = definitions.flatMap(({ definition }) => Object.values(definition.tables));
      const counts = {
        files: files.length,
        tables: tables.length,
        rules: tables.flatMap(({ rules = [] }) => rules).length,
        metrics: tables.flatMap(({ metrics = [] }) => metrics).length,
      };
      print(json, counts, () => `Valid: ${Object.entries(counts).map(describeCount).join(', ')}`);
    });

function describeCount([plural, count]: readonly [string, number]): string {
  return `${count} ${count === 1 ? plural.slice(0, -1) : plural}`;
}

const examples = `
Examples:
  $ dq rules validate rules.yaml
  $ dq rules validate orders.yaml customers.yaml --environment staging --var limit=100`;
