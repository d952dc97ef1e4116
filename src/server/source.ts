import type { Asset } from '../service/store.ts';

/** A column of a table, with the type that the engine gives it. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

/** A table as a scan found it: either its columns, or why they cannot be read. */
export type ScannedTable =
  | { readonly path: string; readonly columns: readonly Column[] }
  | { readonly path: string; readonly problem: string };

/** What the server needs of an engine to notice changes of the data; what it computes is its `Evaluation`. */
export interface Source {
  /** Lists the tables of an asset with their columns, or says why the asset cannot be read. */
  scan(asset: Asset): Promise<{ readonly tables: readonly ScannedTable[] } | { readonly problem: string }>;
}
