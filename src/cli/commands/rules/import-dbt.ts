import { Command } from '@commander-js/extra-typings';

import type { DbtRelation } from '../../../rules/index.ts';
import { stripControlCharacters } from '../../../printable.ts';
import { message, print } from '../../terminal.ts';
import { readText, writeText } from '../../text-file.ts';

/** `dq rules import-dbt`. */
export const importDbtTests = () =>
  new Command('import-dbt')
    .description('turn the tests of a dbt manifest into a definition, and list those that have no equivalent')
    .argument('<manifest>', 'path of the manifest.json')
    .option('-o, --output <file>', 'default standard output')
    .option(
      '--table-path <template>',
      'the table_path of a relation; default {database}.{schema}.{name}',
      String,
      '{database}.{schema}.{name}',
    )
    .option('--json', 'print the definition and what is left out as JSON')
    .addHelpText('after', examples)
    .action(async (file, { output, tablePath, json }) => {
      const { importDbt, toYaml } = await import('../../../rules/index.ts');
      const imported = importDbt(await readText(file), {
        tablePath: (relation) => fillTemplate(tablePath, relation),
      });
      const { definition, unmapped } = imported;
      for (const { name, reason } of unmapped)
        message(`Left out: ${stripControlCharacters(name)}: ${reason}`);
      if (output !== undefined) await writeText(output, toYaml(definition));
      if (output === undefined || json === true) print(json, imported, () => toYaml(definition).trimEnd());
    });

/** A relation without a database has one part less. */
function fillTemplate(template: string, { database, schema, name }: DbtRelation): string {
  return template
    .replaceAll('{database}', database ?? '')
    .replaceAll('{schema}', schema ?? '')
    .replaceAll('{name}', name)
    .split('.')
    .filter((part) => part !== '')
    .join('.');
}

const examples = `
Examples:
  $ dq rules import-dbt target/manifest.json --output rules.yaml
  $ dq rules import-dbt target/manifest.json --table-path 'warehouse.main.{name}'`;
