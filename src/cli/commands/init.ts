import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { Command, Option } from '@commander-js/extra-typings';

import { CliError } from '../cli-error.ts';
import { exitCode } from '../../judgement/exit-code.ts';
import { firstDefinition, firstFreshness } from '../first-definition.ts';
import { listTables } from '../list-tables.ts';
import { sourceFlag, type Sources, withoutPassword } from '../source-flag.ts';
import type { Session } from '../session.ts';
import { onTemporaryService } from '../temporary-service.ts';
import { print } from '../terminal.ts';
import { writeText } from '../text-file.ts';

/** `dq init`. */
export const create = (session: Session) =>
  new Command('init')
    .description(
      'Writes a first dq.json into a data folder, and first rules for the columns it finds there, or in a database. Needs @duckdb/node-api.',
    )
    .argument('[folder]', 'folder of the data files; with --source where dq.json goes, default this one')
    .addOption(
      new Option(
        '--source <name=url>',
        'a database, postgres://… or clickhouse://…; ${NAME} in it is a variable of the environment, and a password is not written down',
      ).argParser((written: string) => sourceFlag(written, {})),
    )
    .option('-o, --output <file>', 'where the rules go; default rules.yaml')
    .option('--json', 'print what was written as JSON')
    .addHelpText('after', examples)
    .action(async (given, { source, output: rulesFile = 'rules.yaml', json }) => {
      if (given === undefined && source === undefined) {
        throw new CliError(
          exitCode.usage,
          'Name a folder of data files (`dq init .` for this one), or a database with --source.',
        );
      }
      const folder = given ?? '.';
      const configurationFile = join(folder, 'dq.json');
      for (const path of [rulesFile, configurationFile]) {
        if (existsSync(path)) {
          throw new CliError(
            exitCode.usage,
            `${path} exists already, and nothing is overwritten. Nothing was written.`,
          );
        }
      }
      const place = source === undefined ? { data: folder } : { sources: source };
      const tables = await onTemporaryService(place, async (client, asset) =>
        listTables(client, asset, session.signal),
      );
      if (tables.length === 0) {
        throw new CliError(
          exitCode.usage,
          source === undefined
            ? `${folder} has no table: a csv, tsv, json, ndjson or parquet file.`
            : 'The database has no table that the role may read.',
        );
      }
      const { toYaml } = await import('../../rules/index.ts');
      const definition = firstDefinition(tables);
      const freshness = firstFreshness(tables);
      const database = source === undefined ? undefined : databaseOf(source);
      const asset = { ...database?.asset, ...(freshness !== undefined && { freshness }) };
      const configuration = { assets: [asset] };
      await writeText(rulesFile, toYaml(definition));
      await writeText(configurationFile, `${JSON.stringify(configuration, null, 2)}\n`);
      const written = { tables: tables.length, files: [rulesFile, configurationFile] };
      const check = [
        'dq rules check',
        database === undefined ? `--local ${folder}` : `--source '${database.flag}'`,
        rulesFile,
      ].join(' ');
      const count = `${tables.length} ${tables.length === 1 ? 'table' : 'tables'}`;
      const secret =
        database?.variable === undefined
          ? ''
          : `\nThe password was not written down: set ${database.variable} in the environment.\n`;
      print(
        json,
        written,
        () => `Wrote ${rulesFile} and ${configurationFile} for ${count}.
${secret}
Try the rules:
  ${check}`,
      );
    });

/** What dq.json says of a database, and what a command does. */
function databaseOf(source: Sources) {
  const [[name, given] = ['', '']] = Object.entries(source);
  const { url, variable } = withoutPassword(name, given);
  return { asset: { name, source: { url } }, flag: `${name}=${url}`, variable };
}

const examples = `
Examples:
  $ dq init ./data
  $ dq init ./data --output quality/rules.yaml
  $ dq init --source 'shop=postgres://reader:\${SHOP_PASSWORD}@db/shop'`;
