import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { configurationFile } from '../../server/configuration.ts';

/** How the bytes of a file are read. */
export type Format = 'csv' | 'tsv' | 'json' | 'ndjson' | 'parquet';

/** A file of a data folder, as a table. */
export interface TableFile {
  /** `<catalog>.<schema>.<table>`. */
  readonly tablePath: string;
  readonly schema: string;
  readonly name: string;
  /** Absolute path of the file. */
  readonly path: string;
  readonly format: Format;
}

/** A folder that is read as a catalog. */
export interface CatalogFolder {
  /** First part of each `table_path`. */
  readonly catalog: string;
  /** Absolute path. */
  readonly path: string;
}

const pattern = /^(?<name>.+)\.(?:(?<packable>csv|tsv|json|ndjson|jsonl)(?:\.gz)?|(?<packed>parquet))$/i;

/** Lists the tables of a folder: `<table>.<ext>` and `<schema>/<table>.<ext>`, ordered by path. `excluded` is not entered. */
export async function listTables(folder: CatalogFolder, excluded: string): Promise<readonly TableFile[]> {
  const entries = await readdir(folder.path, { withFileTypes: true });
  const schemas = entries
    .filter((entry) => entry.isDirectory() && isVisible(entry.name))
    .map((entry) => ({ schema: entry.name, path: join(folder.path, entry.name) }))
    .filter(({ path }) => path !== excluded);
  const nested = await Promise.all(
    schemas.map(async ({ schema, path }) =>
      (await readdir(path, { withFileTypes: true })).flatMap((entry) => tableOf(folder, schema, path, entry)),
    ),
  );
  return [
    ...entries.flatMap((entry) => tableOf(folder, 'main', folder.path, entry)),
    ...nested.flat(),
  ].toSorted((a, b) => (a.tablePath < b.tablePath ? -1 : 1));
}

interface Entry {
  readonly name: string;
  isDirectory(): boolean;
}

function tableOf(folder: CatalogFolder, schema: string, directory: string, entry: Entry): TableFile[] {
  const { name, packable, packed } = pattern.exec(entry.name)?.groups ?? {};
  const extension = (packable ?? packed)?.toLowerCase();
  if (name === undefined || extension === undefined || entry.isDirectory() || !isVisible(entry.name))
    return [];
  const format = extension === 'jsonl' ? 'ndjson' : (extension as Format);
  const tablePath = `${folder.catalog}.${schema}.${name}`;
  return [{ tablePath, schema, name, path: join(directory, entry.name), format }];
}

function isVisible(name: string): boolean {
  return !name.startsWith('.') && name !== configurationFile;
}
