import * as fc from 'fast-check';
import { ConnectionError, type DataQualityClient } from 'data-quality-client';
import {
  apply,
  ApplyError,
  type Definition,
  exportRules,
  hasChanges,
  parseDefinition,
  plan,
  type RuleDefinition,
  toYaml,
} from 'data-quality-client/rules';
import type { FakeService } from 'data-quality-client/testing';
import { describe, expect, it } from 'vitest';

import { assetId, setUp } from './fake.ts';

const column = fc.constantFrom('amount', 'state');

const configured: fc.Arbitrary<Pick<RuleDefinition, 'rule_type' | 'rule_config'>> = fc.oneof(
  fc.constantFrom({ rule_type: 'NOT_NULL' } as const, { rule_type: 'UNIQUE' } as const),
  fc.record({ rule_type: fc.constant('RANGE' as const), rule_config: fc.record({ min: fc.nat(2) }) }),
  fc.record({
    rule_type: fc.constant('ENUM' as const),
    rule_config: fc.record({
      allowed_values: fc.array(fc.constantFrom('a', 'b', 1), { minLength: 1, maxLength: 3 }),
    }),
  }),
);

const rule = fc
  .tuple(
    configured,
    column,
    fc.record(
      {
        name: fc.constantFrom('one', 'two', 'three'),
        description: fc.constantFrom('', 'why'),
        severity: fc.constantFrom('info', 'warning', 'critical'),
        alert_threshold_percent: fc.constantFrom(0, 2.5),
        treat_null_as_valid: fc.boolean(),
        check_interval: fc.constantFrom('hourly', 'daily'),
        is_active: fc.boolean(),
        error_message: fc.constant('no'),
      },
      { requiredKeys: [] },
    ),
  )
  // Each part is right by itself, which the union can't see.
  .map(([type, column_name, fields]) => Object.assign(fields, type, { column_name }) as RuleDefinition);

const metric = fc
  .tuple(
    fc.oneof(
      fc.record({ metric_type: fc.constantFrom('row_count', 'null_percent'), column_name: column }),
      fc.record({
        metric_type: fc.constant('percentile'),
        column_name: column,
        percentile_value: fc.constantFrom(50, 95, 99),
      }),
    ),
    fc.record(
      {
        capture_interval: fc.constantFrom('hourly', 'daily'),
        sensitivity: fc.constantFrom(0.5, 1, 2),
        is_active: fc.boolean(),
        group_by_columns: fc.constantFrom<string[]>([], ['state']),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([type, fields]) => Object.assign(fields, type));

const key = (entry: object, ...fields: readonly string[]): string =>
  JSON.stringify(fields.map((field) => Object.entries(entry).find(([name]) => name === field)?.[1] ?? null));

/** Any definition: a table of rules and metrics, each under a key of its own. */
const definition: fc.Arbitrary<Definition> = fc
  .dictionary(
    fc.constantFrom('shop.sales.orders', 'shop.sales.items'),
    fc.record(
      {
        rules: fc.uniqueArray(rule, {
          maxLength: 5,
          selector: (one) =>
            one.name === undefined ? key(one, 'column_name', 'rule_type') : key(one, 'column_name', 'name'),
        }),
        metrics: fc.uniqueArray(metric, {
          maxLength: 4,
          selector: (one) =>
            key(
              { ...one, group_by_columns: one.group_by_columns?.join() || null },
              'column_name',
              'metric_type',
              'percentile_value',
              'group_by_columns',
            ),
        }),
      },
      { requiredKeys: [] },
    ),
    { noNullPrototype: true },
  )
  .map((tables) => ({ tables }));

const everything = { prune: true, replace: true };

/** Expects no change left to make, and nothing twice. */
async function expectConverged(client: DataQualityClient, wanted: Definition): Promise<void> {
  expect(hasChanges(await plan(client, assetId, wanted))).toBe(false);
  const tables = Object.values(wanted.tables);
  const rules = tables.flatMap((table) => table.rules ?? []);
  const metrics = tables.flatMap((table) => table.metrics ?? []);
  expect(await client.validity.list(assetId).toArray()).toHaveLength(rules.length);
  expect(await client.metrics.list(assetId).toArray()).toHaveLength(metrics.length);
}

/** A client whose process dies at a request: that one arrives or not, no later one does. */
function mortal(
  fake: FakeService,
  client: DataQualityClient,
  dieAt: number,
  arrives: boolean,
): DataQualityClient {
  let sent = 0;
  return client.withOptions({
    fetch: async (input, init) => {
      const at = sent++;
      if (at < dieAt || (at === dieAt && arrives)) {
        const answer = await fake.fetch(input, init);
        if (at < dieAt) return answer;
      }
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
      });
    },
  });
}

/** Plans and applies until the process dies. */
async function run(client: DataQualityClient, wanted: Definition): Promise<'done' | 'died'> {
  try {
    await apply(client, await plan(client, assetId, wanted), everything);
    return 'done';
  } catch (error) {
    const cause = error instanceof ApplyError ? error.cause : error;
    if (cause instanceof ConnectionError) return 'died';
    throw error;
  }
}

describe('any definition', () => {
  it('leaves nothing to change once it was applied', async () => {
    await fc.assert(
      fc.asyncProperty(definition, async (wanted) => {
        const { client } = setUp();
        await apply(client, await plan(client, assetId, wanted));
        await expectConverged(client, wanted);
      }),
      { numRuns: 25 },
    );
  });

  it('is reached from any other', async () => {
    await fc.assert(
      fc.asyncProperty(definition, definition, async (first, second) => {
        const { client } = setUp();
        for (const wanted of [first, second, first]) {
          await apply(client, await plan(client, assetId, wanted), everything);
          await expectConverged(client, wanted);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('is reached without doubles however often the process dies, at any request', async () => {
    await fc.assert(
      fc.asyncProperty(
        definition,
        definition,
        fc.array(fc.record({ dieAt: fc.nat(30), arrives: fc.boolean() }), { minLength: 1, maxLength: 4 }),
        async (first, second, deaths) => {
          const { fake, client } = setUp();
          await apply(client, await plan(client, assetId, first));
          for (const { dieAt, arrives } of deaths) await run(mortal(fake, client, dieAt, arrives), second);
          expect(await run(client, second)).toBe('done');
          await expectConverged(client, second);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('dies at each single request of one run and converges', async () => {
    const first = parseDefinition(`tables:
  shop.sales.orders:
    rules:
      - { name: range, rule_type: RANGE, column_name: amount, rule_config: { min: 0 } }
      - { name: gone, rule_type: UNIQUE, column_name: id }
    metrics:
      - { metric_type: percentile, column_name: amount, percentile_value: 50 }
      - { metric_type: percentile, column_name: amount, percentile_value: 95 }`);
    const second = parseDefinition(`tables:
  shop.sales.orders:
    rules:
      - { name: range, rule_type: RANGE, column_name: amount, rule_config: { min: 1 }, is_active: false }
      - { name: new, rule_type: NOT_NULL, column_name: id, severity: critical }
    metrics:
      - { metric_type: percentile, column_name: amount, percentile_value: 95, sensitivity: 2 }
      - { metric_type: row_count }`);
    let died = 0;
    for (const arrives of [true, false]) {
      for (let dieAt = 0; ; dieAt++) {
        const { fake, client } = setUp();
        await run(client, first);
        const outcome = await run(mortal(fake, client, dieAt, arrives), second);
        await run(client, second);
        await expectConverged(client, second);
        // Of the metrics that can't be told apart, the one that is left must be the one that was meant.
        const [left] = await client.metrics.list(assetId, { metric_type: 'percentile' }).toArray();
        const made = fake.requests.filter(
          ({ method, path }) => method === 'POST' && path.includes('/metrics/'),
        );
        expect(left).toMatchObject({ sensitivity: 2 });
        // The fake numbers metrics in the order in which they are made.
        expect(made[(left?.internal_id ?? 0) - 1]?.body).toMatchObject({ percentile_value: 95 });
        if (outcome === 'done') break;
        died++;
      }
    }
    expect(died).toBeGreaterThan(20);
  });

  it('is what an export returns, except for what no response includes', async () => {
    await fc.assert(
      fc.asyncProperty(definition, async (wanted) => {
        const { client } = setUp();
        await apply(client, await plan(client, assetId, wanted));
        const { definition: exported, unmapped } = await exportRules(client, assetId);
        expect(parseDefinition(toYaml(exported))).toEqual(exported);
        const changes = await plan(client, assetId, exported);
        expect([
          changes.create.filter(({ requires }) => requires === undefined),
          changes.update,
          changes.replace,
        ]).toEqual([[], [], []]);
        const hidden = new Set(unmapped.map(({ id }) => id));
        expect(unmapped.every(({ kind }) => kind === 'metric')).toBe(true);
        expect(changes.delete.filter(({ kind, id }) => kind === 'rule' && !hidden.has(id))).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});
