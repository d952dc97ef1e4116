// The same rows in a file and in ClickHouse, of 2018 in a cluster and of today: every rule and metric counts the same.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { installChdb, startChdb } from '../../support/chdb-server.ts';
import { isClickHouseInstalled, startClickHouseCluster } from '../../support/clickhouse-server.ts';
import { serve, type Served } from '../../support/served.ts';
import { messyRows, metricCases, type RuleCase, ruleCases } from '../rows.ts';
import { capture, check, clickHouseValuesOf, type Subject, writeMessyParquet } from '../subject.ts';

/**
 * What ClickHouse cannot mean as DuckDB does: the text of a decimal has no zeros at its end, so that 6.00 is 6; and the
 * version of 2018 refuses a subquery beside a table over several shards.
 */
function isDifferent([column, type, config]: RuleCase, isOld: boolean): boolean {
  const isSubquery = String(config?.['sql_expression']).includes('SELECT');
  return (column === 'price' && type === 'REGEX') || (isOld && isSubquery);
}

interface Server {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const columns =
  'id Int32, txt Nullable(String), num Nullable(Float64), flt Nullable(Float32), big Nullable(Int64), price Nullable(Decimal(10, 2)), day Nullable(String)';

/** Two shards and a table over both: half of the rows lie on each. */
async function startOld(): Promise<Server> {
  const cluster = await startClickHouseCluster();
  const table = `(${columns}, seen Nullable(DateTime)) ENGINE = MergeTree ORDER BY id`;
  for (const shard of [0, 1] as const) await cluster.run(shard, `CREATE TABLE messy_local ${table}`);
  await cluster.run(
    0,
    'CREATE TABLE messy AS messy_local ENGINE = Distributed(two, default, messy_local, id)',
  );
  for (const row of messyRows) {
    const values = clickHouseValuesOf(row).join(', ');
    await cluster.run(row.id % 2 === 0 ? 0 : 1, `INSERT INTO messy_local VALUES (${values})`);
  }
  return { url: `clickhouse://127.0.0.1:${cluster.ports[0]}/default`, stop: cluster.stop };
}

async function startNew(): Promise<Server> {
  const chdb = await startChdb();
  await chdb.run(
    `CREATE TABLE messy (${columns}, seen Nullable(DateTime('UTC'))) ENGINE = MergeTree ORDER BY id`,
  );
  for (const row of messyRows) {
    await chdb.run(`INSERT INTO messy VALUES (${clickHouseValuesOf(row).join(', ')})`);
  }
  return { url: `clickhouse://127.0.0.1:${chdb.port}/default`, stop: chdb.stop };
}

describe.each([
  ['a cluster of 2018', isClickHouseInstalled, startOld],
  ['today', await installChdb(), startNew],
] as const)('ClickHouse: %s', (_, isInstalled, start) => {
  describe.runIf(isInstalled)('the messy rows', () => {
    let server: Server;
    let served: Served;
    let file: Subject;
    let database: Subject;

    beforeAll(async () => {
      server = await start();
      served = await serve({}, { sources: { events: server.url } });
      await writeMessyParquet(served.folder.path);
      const idOf = (wanted: string) => served.service.assets.find((asset) => asset.name === wanted)?.id ?? '';
      file = { assetId: idOf('shop'), table: 'shop.main.messy' };
      database = { assetId: idOf('events'), table: 'events.default.messy' };
    });
    afterAll(async () => {
      await served?.[Symbol.asyncDispose]();
      await server?.stop();
    });

    test.each(ruleCases.filter((rule) => !isDifferent(rule, start === startOld)).map((rule) => ({ rule })))(
      'a rule: $rule',
      async ({ rule }) => {
        const [expected, found] = [await check(served, file, rule), await check(served, database, rule)];
        expect(expected.error).toBeUndefined();
        expect(found).toMatchObject({ total: expected.total, invalid: expected.invalid });
        expect(found.samples).toHaveLength(Number(expected.invalid));
      },
    );

    test.each(metricCases.map((metric) => ({ metric })))('a metric: $metric', async ({ metric }) => {
      const expected = await capture(served, file, metric);
      expect(await capture(served, database, metric)).toEqual(expected);
    });
  });
});
