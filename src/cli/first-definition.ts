import type { Definition } from '../rules/index.ts';
import type { ListedTable } from './list-tables.ts';

/** Makes first rules of what the columns of tables are called: a start to edit, no judgement of the data. */
export function firstDefinition(tables: readonly ListedTable[]): Definition {
  return {
    tables: Object.fromEntries(
      tables.map(({ table_path, columns }) => {
        const names = columns.map(({ name }) => name);
        const keys = names.filter((name) => isIdentifier(name));
        const required = keys.length === 0 ? names.slice(0, 1) : keys;
        const own = keys.filter((name) => isOwnIdentifier(name, table_path));
        return [
          table_path,
          {
            rules: [
              ...required.map((name) => ({ rule_type: 'NOT_NULL' as const, column_name: name })),
              ...own.map((name) => ({ rule_type: 'UNIQUE' as const, column_name: name })),
            ],
            metrics: [{ metric_type: 'row_count' as const }],
          },
        ];
      }),
    ),
  };
}

/** The freshness of the first table that has a column with the time of a change. */
export function firstFreshness(tables: readonly ListedTable[]) {
  for (const { table_path, columns } of tables) {
    const column = columns.find(
      ({ name, type }) => /^(Nullable\()?(TIMESTAMP|DATE)/i.test(type) && /(_at|date|time)/i.test(name),
    );
    if (column !== undefined) return { table: table_path, timestamp_column: column.name, threshold: '24h' };
  }
  return undefined;
}

function isIdentifier(name: string): boolean {
  return /^id$|_id$|[a-z]Id$/i.test(name) && !/(paid|valid|void)$/i.test(name);
}

/** `id` and `order_id` identify a row of `orders`; `customer_id` in it does not. */
function isOwnIdentifier(name: string, tablePath: string): boolean {
  const [table = ''] = tablePath.split('.').slice(-1);
  const bare = name.replace(/_?id$/i, '').toLowerCase();
  return bare === '' || bare === table.toLowerCase() || `${bare}s` === table.toLowerCase();
}
