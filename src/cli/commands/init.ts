import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { Command } from '@commander-js/extra-typings';

import { CliError } from '../cli-error.ts';
import { exitCode } from '../../judgement/exit-code.ts';
import { firstDefinition, firstFreshness } from '../first-definition.ts';
import { listTables } from '../list-tables.ts';
import type { Session } from '../session.ts';
import { onTemporaryService } from '../temporary-service.ts';
import { print } from '../terminal.ts';
import { writeText } from '../text-file.ts';

/** `dq init`. */
export const create = (session: Session) =>
  new Command('init')
    .description(
      'Writes a first dq.json into a data folder, and first rules for the columns it finds there. Needs @duckdb/node-api.',
    )
    .argument('<folder>', 'folder of the data files')
    .option('-o, --output <file>', 'where the rules go; default rules.yaml')
    .option('--json', 'print what was written as JSON')
    .addHelpText('after', examples)
    .action(async (folder, { output: rulesFile = 'rules.yaml', json }) => {
      const configurationFile = join(folder, 'dq.json');
      for (const path of [rulesFile, configurationFile]) {
        if (existsSync(path)) {
          throw new CliError(
            exitCode.usage,
            `${path} exists already, and nothing is overwritten. Nothing was written.`,
          );
        }
      }
      const tables = await onTemporaryService({ data: folder }, async (client, asset) =>
        listTables(client, asset, session.signal),
      );
      if (tables.length === 0) {
        throw new CliError(
          exitCode.usage,
          `${folder} has no table: a csv, tsv, json, ndjson or parquet file.`,
        );
      }
      const { toYaml } = await import('../../rules/index.ts');
      const definition = firstDefinition(tables);
      const freshness = firstFreshness(tables);
      const configuration = { assets: [freshness === undefined ? {} : { freshness }] };
      await writeText(rulesFile, toYaml(definition));
      await writeText(configurationFile, `${JSON.stringify(configuration, null, 2)}\n`);
      const written = { tables: tables.length, files: [rulesFile, configurationFile] };
      print(
        json,
        written,
        () => `Wrote ${rulesFile} and ${configurationFile} for ${tables.length} ${tables.length === 1 ? 'table' : 'tables'}.

Try the rules on the files:
  dq rules check --local ${folder} ${rulesFile}`,
      );
    });

const examples = `
Examples:
  $ dq init ./data
  $ dq init ./data --output quality/rules.yaml`;
