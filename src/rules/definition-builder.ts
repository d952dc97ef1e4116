import type * as z from 'zod/mini';

import { check } from '../contract/check.ts';
import {
  type Definition,
  type MetricDefinition,
  metricSchema,
  type RuleDefinition,
  ruleSchema,
} from './definition.ts';
import type { TableFreshness } from './freshness.ts';
import { metricKey, ruleKey } from './key.ts';

interface Table {
  freshness?: TableFreshness;
  readonly rules: RuleDefinition[];
  readonly metrics: MetricDefinition[];
}

/** Gathers a definition from entries of which some may not fit. */
export class DefinitionBuilder {
  readonly #tables = new Map<string, Table>();
  readonly #keys = new Set<string>();

  /** Takes in a rule, or returns why no definition can express it. */
  addRule(table_path: string, entry: object): string | undefined {
    return this.#add(table_path, entry, ruleSchema, ruleKey, ({ rules }) => rules);
  }

  /** Takes in a metric, or returns why no definition can express it. */
  addMetric(table_path: string, entry: object): string | undefined {
    return this.#add(table_path, entry, metricSchema, metricKey, ({ metrics }) => metrics);
  }

  /** Sets how old the newest rows of a table may be. */
  setFreshness(table_path: string, freshness: TableFreshness): void {
    this.#tableAt(table_path).freshness = freshness;
  }

  get definition(): Definition {
    const tables = [...this.#tables].map(([name, { freshness, rules, metrics }]) => [
      name,
      {
        ...(freshness !== undefined && { freshness }),
        ...(rules.length > 0 && { rules }),
        ...(metrics.length > 0 && { metrics }),
      },
    ]);
    return { tables: Object.fromEntries(tables) };
  }

  #add<Entry>(
    table_path: string,
    entry: object,
    schema: z.core.$ZodType<Entry>,
    keyOf: (entry: Entry) => string,
    listOf: (table: Table) => Entry[],
  ): string | undefined {
    if (table_path === '') return 'it has no table';
    const checked = check(schema, entry);
    if ('issues' in checked)
      return checked.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
    const key = `${table_path} ${keyOf(checked.value)}`;
    if (this.#keys.has(key)) return 'another one has the same key';
    this.#keys.add(key);
    // The entry itself, as a parsed copy would have its fields in another order.
    listOf(this.#tableAt(table_path)).push(entry as Entry);
    return undefined;
  }

  #tableAt(table_path: string): Table {
    const table = this.#tables.get(table_path) ?? { rules: [], metrics: [] };
    this.#tables.set(table_path, table);
    return table;
  }
}
