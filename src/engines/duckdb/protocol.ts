/** A value of a result: what is neither a number, a text nor a boolean is given as text. */
export type Value = string | number | bigint | boolean | null;

/** The rows of a result, each with its values in the order of the columns. */
export type Rows = readonly (readonly Value[])[];

/** What bounds the process of a query. */
export interface WorkerLimits {
  /** Folder for what does not fit into memory; nothing else may use it. */
  readonly tempDirectory: string;
  /** Bytes that DuckDB may keep in memory before it spills to disk. */
  readonly buffers: number;
  /** Bytes of memory at which the process reports that it needs too much. */
  readonly memory: number;
  /** Folder that queries may read beside their files, and write to. */
  readonly copies?: string | undefined;
  /** Whether it leaves the processors to others: one thread, at a low priority. */
  readonly isBackground?: boolean;
}

/** What the service sends to the process of a query. */
export type Order =
  | { readonly type: 'open'; readonly limits: WorkerLimits }
  /** Names the files that all queries from now on may read. It comes while no query runs. */
  | { readonly type: 'allow'; readonly files: readonly string[] }
  | { readonly type: 'query'; readonly id: number; readonly sql: string }
  | { readonly type: 'interrupt'; readonly id: number };

/** What the process of a query sends back. */
export type Report =
  /** The files of the last `allow` can be read. */
  | { readonly type: 'ready' }
  /** `memory`: the bytes that the process still uses. */
  | { readonly type: 'rows'; readonly id: number; readonly rows: Rows; readonly memory: number }
  | { readonly type: 'failed'; readonly id: number; readonly message: string; readonly memory: number }
  | { readonly type: 'too-much-memory' };
