import type { Freshness, FreshnessQuery } from '../contract/index.ts';

/** One table in the overview of an asset's freshness; the interface does not show its shape. */
export interface TableEntry {
  readonly table_path: string;
  readonly schema: string;
  readonly name: string;
  /** In the words of `status_filters`. */
  readonly status: string;
  readonly tags: readonly string[];
  /** Null for a table whose freshness is not configured. */
  readonly freshness: Freshness | null;
}

const filterWords = new Map<string, string>([
  ['fresh', 'ready'],
  ['stale', 'not_ready'],
]);

/** Describes a table, with its freshness if it is known. */
export function tableEntry(path: string, freshness: Freshness | undefined): TableEntry {
  const [name = path, schema = ''] = path.split('.').toReversed();
  const status = freshness?.status ?? 'unknown';
  return {
    table_path: path,
    schema,
    name,
    status: filterWords.get(status) ?? status,
    tags: [],
    freshness: freshness ?? null,
  };
}

/** Whether the filters of a query let a table through. */
export function isSelected(entry: TableEntry, query: FreshnessQuery): boolean {
  return (
    allows(query.status_filters, [entry.status]) &&
    allows(query.schema_filters, [entry.schema]) &&
    allows(query.tag_filters, entry.tags) &&
    entry.name.toLowerCase().includes((query.search_query ?? '').toLowerCase())
  );
}

/** A filter's values are given several times, or separated by commas; one without values allows everything. */
function allows(filter: string | readonly string[] | undefined, own: readonly string[]): boolean {
  const wanted = [filter ?? []]
    .flat()
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '');
  return wanted.length === 0 || own.some((value) => wanted.includes(value));
}
