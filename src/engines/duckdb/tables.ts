import { basename, isAbsolute, join } from 'node:path';

import { noTable } from '../reasons.ts';
import type { CatalogFolder, TableFile } from './catalog.ts';
import { listTables } from './catalog.ts';
import type { Column, SourceColumn } from './column-sql.ts';
import type { Engine } from './engine.ts';
import { QueryError } from '../query-error.ts';
import { askAbout } from './explain.ts';
import { stampOf } from './file-stamp.ts';
import { assertPlainJson, assertWholeGzip, type CsvShape, readCsvShape } from './file-head.ts';
import {
  csvReading,
  inferredReading,
  jsonObjectsReading,
  jsonReading,
  parquetSchemaReading,
  keptReading,
  pathPattern,
  type Reading,
  readingOf,
  sampledCsvReading,
  sampledReading,
  typedJsonReading,
} from './reading.ts';

/** The folder of an asset. */
export interface AssetFolder extends CatalogFolder {
  readonly assetId: string;
}

/** The tables of all assets, as the files are now. */
export interface Tables {
  /** The tables of one asset. */
  readonly ofAsset: readonly TableFile[];
  /** Absolute paths of the files of all assets, and the patterns that read them: what queries may read. */
  readonly files: readonly string[];
}

/** A table that can be read. */
export interface OpenTable {
  readonly columns: readonly SourceColumn[];
  /** Reads the columns as the file writes them: the fields of a csv as text, so that 007 stays 007; JSON as JSON. */
  readonly literalReading: Reading;
  /** Reads the rows for those who need none of the columns. */
  readonly rowReading: Reading;
  /** Reads all columns with the types of `columns`. */
  readonly reading: Reading;
  /** Bytes of the file, if its text is read. */
  readonly textBytes?: number | undefined;
  /** The texts of the first rows, one per column, if they are found without a query. */
  readonly firstRows?: readonly (readonly string[])[];
}

interface Remembered {
  readonly stamp: string;
  readonly values: Map<string, Promise<unknown>>;
}

/** Finds tables and their columns. Files may change at any time: nothing is remembered longer than a file stays as it is. */
export class TableFinder {
  readonly #engine: Engine;
  readonly #folders: readonly AssetFolder[];
  readonly #excluded: string;
  readonly #remembered = new Map<string, Remembered>();

  /** `excluded`: a folder without data, although it may lie within. */
  constructor(engine: Engine, folders: readonly AssetFolder[], excluded: string) {
    this.#engine = engine;
    this.#folders = folders;
    this.#excluded = excluded;
  }

  /** Lists the tables of an asset; throws a {@link QueryError} if its folder cannot be read. */
  async list(assetId: string): Promise<Tables> {
    const found = await Promise.all(
      this.#folders.map(async (folder) => {
        const isOwn = folder.assetId === assetId;
        return { isOwn, tables: await this.#list(folder, isOwn) };
      }),
    );
    const paths = found.flatMap(({ tables }) =>
      tables.flatMap(({ path, refusal }) => (refusal === undefined ? [path, pathPattern(path)] : [])),
    );
    return {
      ofAsset: found.flatMap(({ isOwn, tables }) => (isOwn ? tables : [])),
      files: [...new Set(paths)].toSorted(),
    };
  }

  /** Opens a table; throws a {@link QueryError} if its file cannot be read. */
  async open(tables: Tables, file: TableFile): Promise<OpenTable> {
    await this.#assertReadable(file);
    switch (file.format) {
      case 'csv':
      case 'tsv': {
        const shape = await this.#csvShape(file);
        const columns = withUniqueNames(shape.header);
        const reading = await this.#quickest(file, csvReading(file, shape, columns), columns);
        const { firstRows } = shape;
        const textBytes = reading.isText ? (await stampOf(file)).size : undefined;
        return { columns, reading, literalReading: reading, rowReading: reading, firstRows, textBytes };
      }
      case 'json':
      case 'ndjson': {
        const columns = await this.#jsonColumns(tables, file);
        // The reader cannot keep two names that differ only in case.
        const typed = columns.filter(({ name, readAs }) => name === readAs);
        const reading = readingOf(file, typedJsonReading(file, typed), columns);
        const text = jsonReading(file, columns);
        // Values that are not objects are rows too.
        if (isOneValue(columns)) {
          const rowReading = readingOf(file, inferredReading(file), columns);
          return { columns, reading, literalReading: readingOf(file, text, columns), rowReading };
        }
        const literalReading = await this.#quickest(file, text, columns);
        return { columns, reading, literalReading, rowReading: literalReading };
      }
      case 'parquet': {
        const columns = await this.#parquetColumns(tables, file);
        const reading = readingOf(file, inferredReading(file), columns);
        return { columns, reading, literalReading: reading, rowReading: reading };
      }
    }
  }

  /** The columns with the types that the first rows suggest: soon found, however large the file is. */
  async sampledColumns(tables: Tables, file: TableFile): Promise<readonly Column[]> {
    await this.#assertReadable(file);
    if (file.format !== 'csv' && file.format !== 'tsv') {
      return this.#describe(tables, file, sampledReading(file));
    }
    const shape = await this.#csvShape(file);
    const names = withUniqueNames(shape.header);
    const typed = await this.#describe(tables, file, sampledCsvReading(file, shape, names));
    return names.map(({ name, type }, at) => ({ name, type: typed[at]?.type ?? type }));
  }

  /** Computes something about a file once for as long as it stays as it is. */
  async remember<Value>(file: TableFile, what: string, compute: () => Promise<Value>): Promise<Value> {
    const values = await this.memoryOf(file);
    const known = values.get(what);
    // What is known by this name was computed by the same code.
    if (known !== undefined) return known as Promise<Value>;
    const value = compute();
    values.set(what, value);
    value.catch(() => values.delete(what));
    return value;
  }

  /** What is known about a file in its present state, by names: forgotten when it changes. */
  async memoryOf(file: TableFile): Promise<Map<string, Promise<unknown>>> {
    const { text: stamp } = await stampOf(file);
    let remembered = this.#remembered.get(file.path);
    if (remembered?.stamp !== stamp) {
      remembered = { stamp, values: new Map() };
      this.#remembered.set(file.path, remembered);
    }
    return remembered.values;
  }

  /** The text of a file, or the copy of it that is quicker to read. */
  async #quickest(file: TableFile, text: string, columns: readonly SourceColumn[]): Promise<Reading> {
    const copy = await this.#engine.copies?.find(file, text);
    return copy === undefined ? readingOf(file, text, columns) : keptReading(copy, columns);
  }

  async #list(folder: AssetFolder, isOwn: boolean): Promise<readonly TableFile[]> {
    try {
      return await listTables(folder, this.#excluded);
    } catch (error) {
      // That the folder of another asset is gone does not matter to this one.
      if (!isOwn) return [];
      throw new QueryError(`the folder of ${folder.catalog} cannot be read`, { cause: error });
    }
  }

  async #assertReadable(file: TableFile): Promise<void> {
    if (file.refusal !== undefined) throw new QueryError(`${file.tablePath} ${file.refusal}`);
    if (file.isPacked) await this.remember(file, 'gzip', async () => assertWholeGzip(file));
    if (file.format === 'json' || file.format === 'ndjson') {
      await this.remember(file, 'mark', async () => assertPlainJson(file));
    }
  }

  async #csvShape(file: TableFile): Promise<CsvShape> {
    return this.remember(file, 'shape', async () => readCsvShape(file));
  }

  async #jsonColumns(tables: Tables, file: TableFile): Promise<readonly SourceColumn[]> {
    const found = await this.#describe(tables, file, inferredReading(file));
    if (!hasRenamed(found)) return found.map(({ name, type }) => ({ name, type, readAs: name }));
    const keys = await this.remember(file, 'keys', async () => {
      const sql = `SELECT DISTINCT unnest(json_keys(json)) AS key FROM ${jsonObjectsReading(file)} ORDER BY key`;
      return askAbout(this.#engine, tables, file, sql);
    });
    const named = withUniqueNames(keys.map(([key]) => String(key)));
    return named.map(({ name, readAs }) => {
      const type = found.find((column) => column.name === name)?.type ?? 'JSON';
      return { name, readAs, type };
    });
  }

  async #parquetColumns(tables: Tables, file: TableFile): Promise<readonly SourceColumn[]> {
    const found = await this.#describe(tables, file, inferredReading(file));
    const plain = found.map(({ name, type }) => ({ name, type, readAs: name }));
    if (!hasRenamed(found)) return plain;
    const elements = await this.remember(file, 'schema', async () => {
      const sql = `SELECT name, coalesce(num_children, 0)::INTEGER FROM ${parquetSchemaReading(file)}`;
      return askAbout(this.#engine, tables, file, sql);
    });
    const names = topLevelNames(elements.map(([name, children]) => [String(name), Number(children)]));
    return plain.map(({ readAs, type }, at) => ({ name: names[at] ?? readAs, readAs, type }));
  }

  async #describe(tables: Tables, file: TableFile, reading: string): Promise<readonly Column[]> {
    return this.remember(file, reading, async () => {
      const sql = `SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${reading})`;
      const rows = await askAbout(this.#engine, tables, file, sql);
      return rows.map(([name, type]) => ({ name: String(name), type: String(type) }));
    });
  }
}

/** Whether a JSON file may hold values that are not objects: they are read as one column of this name. */
function isOneValue(columns: readonly Column[]): boolean {
  return columns.length === 0 || (columns.length === 1 && columns[0]?.name === 'json');
}

/** Gives each column of a csv a name of its own in SQL, as DuckDB does. */
function withUniqueNames(header: readonly string[]): readonly SourceColumn[] {
  const taken = new Set<string>();
  const seen = new Set<string>();
  return header.map((written, at) => {
    const wanted = written === '' ? `column${at}` : written;
    let readAs = wanted;
    for (let count = 1; taken.has(readAs.toLowerCase()); count += 1) readAs = `${wanted}_${count}`;
    taken.add(readAs.toLowerCase());
    // A name that is there twice, case included, can only be distinguished by its number.
    const name = seen.has(wanted) ? readAs : wanted;
    seen.add(wanted);
    return { name, readAs, type: 'VARCHAR' };
  });
}

/** Whether DuckDB may have renamed a column: a name is another one and a number. */
function hasRenamed(columns: readonly Column[]): boolean {
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  return columns.some(({ name }) => {
    const [, base] = /^(.*)_\d+$/su.exec(name.toLowerCase()) ?? [];
    return base !== undefined && names.has(base);
  });
}

/** The columns of a parquet schema, which lists each element before its children. */
function topLevelNames(elements: readonly (readonly [string, number])[]): readonly string[] {
  const names: string[] = [];
  let open = 0;
  // The first element is the root.
  for (const [name, children] of elements.slice(1)) {
    if (open === 0) names.push(name);
    open = Math.max(0, open - 1) + children;
  }
  return names;
}

/** Finds a table by its `table_path`; throws {@link QueryError}. */
export function findTable({ ofAsset }: Tables, tablePath: string): TableFile {
  const [file, ...others] = ofAsset.filter((candidate) => candidate.tablePath === tablePath);
  if (file === undefined) {
    const known = ofAsset.map((candidate) => candidate.tablePath);
    throw new QueryError(noTable(tablePath, known));
  }
  if (others.length > 0) {
    const names = [file, ...others].map(({ path }) => basename(path));
    throw new QueryError(`${tablePath} is more than one file: ${names.join(', ')}`);
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
