import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

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
  readonly isPacked: boolean;
  /** Why the file is not read, if it is not. */
  readonly refusal: string | undefined;
}

/** A folder that is read as a catalog. */
export interface CatalogFolder {
  /** First part of each `table_path`. */
  readonly catalog: string;
  /** Absolute path. */
  readonly path: string;
}

const pattern = /^(?<name>.+)\.(?:(?<packable>csv|tsv|json|ndjson|jsonl)(?<gz>\.gz)?|(?<packed>parquet))$/i;

/** Lists the tables of a folder: `<table>.<ext>` and `<schema>/<table>.<ext>`, ordered by path. `excluded` is not entered. */
export async function listTables(folder: CatalogFolder, excluded: string): Promise<readonly TableFile[]> {
  const entries = await readdir(folder.path, { withFileTypes: true });
  const schemas = entries
    .filter((entry) => entry.isDirectory() && isVisible(entry.name))
    .map((entry) => ({ schema: entry.name, path: join(folder.path, entry.name) }))
    .filter(({ path }) => path !== excluded);
  const own = { schema: 'main', path: folder.path, entries };
  const nested = await Promise.all(
    schemas.map(async ({ schema, path }) => ({
      schema,
      path,
      entries: await readdir(path, { withFileTypes: true }),
    })),
  );
  const tables = await Promise.all(
    [own, ...nested].flatMap(({ schema, path, entries: found }) =>
      found.map(async (entry) => tableOf(folder, schema, path, entry)),
    ),
  );
  return tables.flat().toSorted((a, b) => (a.tablePath < b.tablePath ? -1 : 1));
}

interface Entry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

async function tableOf(
  folder: CatalogFolder,
  schema: string,
  directory: string,
  entry: Entry,
): Promise<TableFile[]> {
  const { name, packable, packed, gz } = pattern.exec(entry.name)?.groups ?? {};
  const extension = (packable ?? packed)?.toLowerCase();
  if (name === undefined || extension === undefined || entry.isDirectory() || !isVisible(entry.name))
    return [];
  const path = join(directory, entry.name);
  return [
    {
      tablePath: `${folder.catalog}.${schema}.${name}`,
      schema,
      name,
      path,
      format: extension === 'jsonl' ? 'ndjson' : (extension as Format),
      isPacked: gz !== undefined,
      refusal: await refusalOf(folder, path, entry),
    },
  ];
}

async function refusalOf(folder: CatalogFolder, path: string, entry: Entry): Promise<string | undefined> {
  if (entry.isFile()) return undefined;
  // To open a pipe would wait for somebody who writes to it.
  if (!entry.isSymbolicLink()) return 'is not a regular file';
  try {
    const [target, root] = await Promise.all([realpath(path), realpath(folder.path)]);
    if (!target.startsWith(root + sep)) return 'is a symbolic link that leads out of the data folder';
    return (await stat(target)).isFile() ? undefined : 'is a symbolic link to something that is not a file';
  } catch {
    return 'is a symbolic link that leads nowhere';
  }
}

function isVisible(name: string): boolean {
  return !name.startsWith('.') && name !== configurationFile;
}
