import { Command } from '@commander-js/extra-typings';

import { exitCode } from '../../../judgement/exit-code.ts';
import type { DbtRelation } from '../../../rules/index.ts';
import { stripControlCharacters } from '../../../printable.ts';
import { CliError } from '../../cli-error.ts';
import { message, print } from '../../terminal.ts';
import { readText, refuseTwoOutputs, writeText } from '../../text-file.ts';

/** `dq rules import-dbt`. */
export const importDbtTests = () =>
  new Command('import-dbt')
    .description('turn the tests of a dbt manifest into a definition, and list those that have no equivalent')
    .argument('<manifest>', 'path of the manifest.json')
    .option('-o, --output <file>', 'default standard output')
    .option('--table-path <template>', 'the table_path of a relation', String, '{database}.{schema}.{name}')
    .option('--json', 'print the definition and what is left out as JSON')
    .addHelpText('after', examples)
    .action(async (file, { output, tablePath, json }) => {
      refuseTwoOutputs(json, output === undefined ? [] : [output]);
      const { importDbt, toYaml } = await import('../../../rules/index.ts');
      checkTemplate(tablePath);
      const imported = importDbt(await readText(file), {
        tablePath: (relation) => fillTemplate(tablePath, relation),
      });
      const { definition, unmapped } = imported;
      for (const { name, reason } of unmapped)
        message(`Left out: ${stripControlCharacters(name)}: ${reason}`);
      if (output !== undefined) await writeText(output, toYaml(definition));
      if (output === undefined || json === true) print(json, imported, () => toYaml(definition).trimEnd());
    });

const placeholders = ['{database}', '{schema}', '{name}'];

/** Refuses a template under which several relations would become one table. */
function checkTemplate(template: string): void {
  const unknown = (template.match(/\{[^}]*\}?/g) ?? []).find((found) => !placeholders.includes(found));
  if (unknown !== undefined) {
    const known = placeholders.join(', ');
    throw new CliError(exitCode.usage, `--table-path: unknown placeholder "${unknown}". Known: ${known}.`);
  }
  if (!template.includes('{name}')) {
    throw new CliError(exitCode.usage, '--table-path needs {name}: without it all relations are one table.');
  }
}

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
