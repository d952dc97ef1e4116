import type { DbtNode } from './dbt-manifest.ts';
import type { TableFreshness } from './freshness.ts';

/** What a source expects of its freshness, and what of it a definition cannot express. */
export interface MappedFreshness {
  readonly freshness?: TableFreshness;
  readonly reasons: readonly string[];
}

const units: Readonly<Record<string, string>> = { minute: 'm', hour: 'h', day: 'd' };

/** Turns `error_after`, or else `warn_after`, of a source into the oldest age allowed. */
export function mapFreshness({ config, ...source }: DbtNode): MappedFreshness {
  const freshness = source.freshness ?? config?.freshness;
  const error = toAge(freshness?.error_after);
  const warn = toAge(freshness?.warn_after);
  const max_age = error ?? warn;
  if (max_age === undefined) return { reasons: [] };
  if (freshness?.filter)
    return { reasons: [`filter: freshness looks at every row, not only ${freshness.filter}`] };
  const field = source.loaded_at_field ?? config?.loaded_at_field ?? '';
  const isColumn = /^["`[]?\w+["`\]]?$/.test(field);
  return {
    freshness: { max_age, ...(isColumn && { timestamp_column: field.replaceAll(/["`[\]]/g, '') }) },
    reasons: [
      ...(error !== undefined && warn !== undefined && warn !== error
        ? [`warn_after ${warn}: a table has one oldest age, which is that of error_after`]
        : []),
      ...(field !== '' && !isColumn
        ? [`loaded_at_field ${field}: a timestamp_column is the name of a column`]
        : []),
    ],
  };
}

function toAge(
  limit:
    | { readonly count?: number | null | undefined; readonly period?: string | null | undefined }
    | null
    | undefined,
): string | undefined {
  const unit = units[limit?.period ?? ''];
  return limit?.count && unit !== undefined ? `${limit.count}${unit}` : undefined;
}
