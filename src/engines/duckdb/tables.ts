import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

import type { CatalogFolder, TableFile } from './catalog.ts';
import { listTables } from './catalog.ts';
import type { Column } from './column-sql.ts';
import { type Engine, QueryError } from './engine.ts';
import { headReading, inferredReading, sampledReading, typedReading } from './reading.ts';

/** The folder of an asset. */
export interface AssetFolder extends CatalogFolder {
  readonly assetId: string;
}

/** The tables of all assets, as the files are now. */
export interface Tables {
  /** The tables of one asset. */
  readonly ofAsset: readonly TableFile[];
  /** Absolute paths of the files of all assets: what queries may read. */
  readonly files: readonly string[];
}

/** A table with the types of its data. */
export interface TypedTable {
  readonly reading: string;
  readonly columns: readonly Column[];
}

interface Described {
  readonly stamp: string;
  readonly columns: Promise<readonly Column[]>;
}

/** Finds tables and their columns. Files may change at any time: nothing is remembered longer than a file stays as it is. */
export class TableFinder {
  readonly #engine: Engine;
  readonly #folders: readonly AssetFolder[];
  readonly #excluded: string;
  readonly #described = new Map<string, Described>();

  /** `excluded`: a folder that holds no data, although it may lie within. */
  constructor(engine: Engine, folders: readonly AssetFolder[], excluded: string) {
    this.#engine = engine;
    this.#folders = folders;
    this.#excluded = excluded;
  }

  /** Lists the tables of an asset; throws a {@link QueryError} where its folder can't be read. */
  async look(assetId: string): Promise<Tables> {
    const found = await Promise.all(
      this.#folders.map(async (folder) => {
        const isOwn = folder.assetId === assetId;
        return { isOwn, tables: await this.#list(folder, isOwn) };
      }),
    );
    return {
      ofAsset: found.flatMap(({ isOwn, tables }) => (isOwn ? tables : [])),
      files: [...new Set(found.flatMap(({ tables }) => tables.map(({ path }) => path)))].toSorted(),
    };
  }

  /** The columns as {@link headReading} gives them; their names are those of every reading. */
  async columns(tables: Tables, file: TableFile): Promise<readonly Column[]> {
    return this.#describe(tables, file, headReading(file));
  }

  /** What reads a table with the types that DuckDB finds in the data, and the columns it then has. */
  async typed(tables: Tables, file: TableFile): Promise<TypedTable> {
    const columns = await this.#describe(tables, file, inferredReading(file));
    return { columns, reading: typedReading(file, columns) };
  }

  /** The columns with the types that the first rows suggest: soon found, however large the file is. */
  async sampledColumns(tables: Tables, file: TableFile): Promise<readonly Column[]> {
    return this.#describe(tables, file, sampledReading(file));
  }

  async #list(folder: AssetFolder, isOwn: boolean): Promise<readonly TableFile[]> {
    try {
      return await listTables(folder, this.#excluded);
    } catch (error) {
      // That the folder of another asset is gone is no concern of this one.
      if (!isOwn) return [];
      throw new QueryError(`${folder.path} can not be read`, { cause: error });
    }
  }

  async #describe(tables: Tables, file: TableFile, reading: string): Promise<readonly Column[]> {
    const stamp = await stampOf(file.path);
    const known = this.#described.get(reading);
    if (known?.stamp === stamp) return known.columns;
    const columns = this.#engine
      .query(tables.files, `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${reading})`)
      .then((rows) => rows.map(([name, type]) => ({ name: String(name), type: String(type) })));
    this.#described.set(reading, { stamp, columns });
    columns.catch(() => this.#described.delete(reading));
    return columns;
  }
}

/** Changes whenever the file does. */
async function stampOf(path: string): Promise<string> {
  try {
    const { mtimeNs, ctimeNs, size, ino } = await stat(path, { bigint: true });
    return [mtimeNs, ctimeNs, size, ino].join(':');
  } catch (error) {
    throw new QueryError(`${path} can not be read`, { cause: error });
  }
}

/** Finds a table by its `table_path`; throws {@link QueryError}. */
export function findTable({ ofAsset }: Tables, tablePath: string): TableFile {
  const [file, ...others] = ofAsset.filter((candidate) => candidate.tablePath === tablePath);
  if (file === undefined) {
    const known = ofAsset.map((candidate) => candidate.tablePath);
    throw new QueryError(`there is no table ${tablePath}; the tables are ${listed(known)}`);
  }
  if (others.length > 0) {
    throw new QueryError(
      `${tablePath} is more than one file: ${[file, ...others].map(({ path }) => path).join(', ')}`,
    );
  }
  return file;
}

/** Finds a table as SQL names it: by one to three parts of its path, or by its file. */
export function findNamedTable(tables: Tables, folder: string, parts: readonly string[]): TableFile {
  const [only = ''] = parts;
  const wanted = parts.join('.');
  const path = isAbsolute(only) ? only : join(folder, only);
  const file =
    tables.ofAsset.find(({ tablePath }) => tablePath === wanted) ??
    tables.ofAsset.find(({ schema, name }) => `${schema}.${name}` === wanted) ??
    tables.ofAsset.find(({ schema, name }) => schema === 'main' && name === wanted) ??
    tables.ofAsset.find(({ name }) => name === wanted) ??
    tables.ofAsset.find((candidate) => candidate.path === path);
  return file ?? findTable(tables, wanted);
}

/** Finds a column by its name, in its exact case where several differ in that alone; throws {@link QueryError}. */
export function findColumn(file: TableFile, columns: readonly Column[], wanted: string): Column {
  const column =
    columns.find(({ name }) => name === wanted) ??
    columns.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (column !== undefined) return column;
  const known = columns.map(({ name }) => name);
  throw new QueryError(`${file.tablePath} has no column ${wanted}; its columns are ${listed(known)}`);
}

const mostListed = 20;

function listed(names: readonly string[]): string {
  const more = names.length > mostListed ? ', …' : '';
  return names.length === 0 ? 'none' : names.slice(0, mostListed).join(', ') + more;
}
