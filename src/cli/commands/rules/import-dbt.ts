import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { Command } from '@commander-js/extra-typings';

import { exitCode } from '../../../judgement/exit-code.ts';
import type { DbtRelation, DbtRun } from '../../../rules/index.ts';
import { stripControlCharacters } from '../../../printable.ts';
import { CliError } from '../../cli-error.ts';
import { message, print } from '../../terminal.ts';
import { readText, refuseTwoOutputs, writeText } from '../../text-file.ts';

/** `dq rules import-dbt`. */
export const importDbtTests = () =>
  new Command('import-dbt')
    .summary('turn the tests of a dbt manifest into a definition')
    .description(
      'Turns the tests of a dbt manifest, and the freshness of its sources, into a definition, and lists those that have no equivalent. If run_results.json is beside the manifest, shows what the last run found.',
    )
    .argument('<manifest>', 'path of the manifest.json')
    .option('-o, --output <file>', 'default standard output')
    .option('--table-path <template>', 'the table_path of a relation', String, '{database}.{schema}.{name}')
    .option('--run-results <file>', 'what the last run found; default run_results.json beside the manifest')
    .option('--json', 'print the definition, what is left out and the last run as JSON')
    .addHelpText('after', examples)
    .action(async (file, { output, tablePath, runResults, json }) => {
      refuseTwoOutputs(json, output === undefined ? [] : [output]);
      const { importDbt, toYaml } = await import('../../../rules/index.ts');
      checkTemplate(tablePath);
      const results = runResults ?? resultsBeside(file);
      const imported = importDbt(await readText(file), {
        tablePath: (relation) => fillTemplate(tablePath, relation),
        runResults: results === undefined ? undefined : await readText(results),
      });
      const { definition, unmapped, lastRun } = imported;
      for (const { name, reason } of unmapped)
        message(stripControlCharacters(`Left out: ${name}: ${reason}`));
      for (const line of lastRun === undefined ? [] : describeRun(lastRun))
        message(stripControlCharacters(line));
      if (output !== undefined) await writeText(output, toYaml(definition));
      if (output === undefined || json === true) print(json, imported, () => toYaml(definition).trimEnd());
    });

/** The results of the last run, if dbt wrote them into the folder of the manifest. */
function resultsBeside(manifest: string): string | undefined {
  const path = join(dirname(manifest), 'run_results.json');
  return existsSync(path) ? path : undefined;
}

/** What a run found, in one line, and each test that did not pass. */
function describeRun({ generated_at, tests }: DbtRun): string[] {
  const counts = Map.groupBy(tests, ({ status }) => status);
  const summary = [...counts].map(([status, group]) => `${group.length} ${status}`).join(', ');
  const when = generated_at === null ? '' : ` of ${generated_at}`;
  const others = tests.filter(({ status }) => status !== 'pass' && status !== 'success');
  return [
    `Last dbt run${when}: ${summary === '' ? 'no test' : summary}`,
    ...others.map(({ name, status, failures, message: said }) => {
      const found = failures === null ? said : `${failures} ${failures === 1 ? 'failure' : 'failures'}`;
      return `  ${status} ${name}${found === null ? '' : `: ${found}`}`;
    }),
  ];
}

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
