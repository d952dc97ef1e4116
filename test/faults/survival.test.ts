// A service in a process of its own is attacked, then asked again.
import { describe, expect, test } from 'vitest';

import { exchange, head } from '../support/raw-bytes.ts';
import { type ServedProcess, startServedProcess } from './served-process.ts';

const tableOf = (name: string) => ({ table_path: `shop.main.${name}` });

async function check(served: ServedProcess, rule: object): Promise<Readonly<Record<string, unknown>>> {
  const path = `/api/v1/sdk/validity/${served.assetId}`;
  const { data } = await served.call('POST', path, rule);
  return (await served.call('POST', `${path}/${String(data['uuid'])}/check`, {})).data;
}

const expression = (name: string, sql: string) => ({
  ...tableOf(name),
  rule_type: 'CUSTOM_SQL',
  rule_config: { sql_expression: sql },
});

const notNull = (name: string) => ({ ...tableOf(name), rule_type: 'NOT_NULL', column_name: 'id' });

/** Attacks, each with what the service must make of it. */
const attacks: Readonly<Record<string, (served: ServedProcess) => Promise<unknown>>> = {
  async 'a request with credentials in its address'(served) {
    expect(await exchange(served.port, [head(['GET http://user:pass@x/ HTTP/1.1'])])).toMatch(
      /^HTTP\/1\.1 400 /,
    );
  },
  async 'a JSON file of 30,000 levels'(served) {
    expect(await check(served, notNull('deep'))).toMatchObject({ status: 'error' });
  },
  async 'a file whose name is a pattern'(served) {
    expect(await check(served, notNull('orders[1]'))).toMatchObject({ status: 'fail', total_rows: 2 });
  },
  async 'two expressions that no interrupt ends'(served) {
    const stuck = expression('a', "levenshtein(repeat('a', 100000) || id, repeat('b', 100000)) > 0");
    const checks = await Promise.all([check(served, stuck), check(served, stuck)]);
    for (const result of checks) expect(result).toMatchObject({ status: 'error' });
  },
  async 'an expression that takes more memory than there is'(served) {
    const large = expression('a', 'len(list_sort(list_transform(range(300000000), x -> hash(x + id)))) > 0');
    expect(await check(served, large)).toMatchObject({ status: 'error' });
  },
};

const files = {
  'a.csv': 'id\n1\n2\n',
  'deep.json': `[{"id":${'['.repeat(30_000)}${']'.repeat(30_000)}}]`,
  'orders[1].csv': 'id,email\n,x\n,y\n',
  'orders1.csv': 'id\n1\n2\n3\n4\n5\n',
};

describe('a service goes on after', () => {
  test.each(Object.entries(attacks))('%s', { timeout: 120_000 }, async (_, attack) => {
    const served = await startServedProcess(files, 1500);
    const ended = await attack(served).then(
      async () => [await check(served, notNull('a')), await served.end()] as const,
      async (error: unknown) => {
        await served.end();
        throw error;
      },
    );
    expect(ended[0]).toMatchObject({ status: 'pass', total_rows: 2 });
    expect(ended[1].flatMap(({ problems }) => problems)).toEqual([]);
  });
});

test('a service ends when asked while expressions are stuck', { timeout: 120_000 }, async () => {
  const served = await startServedProcess(files);
  const stuck = expression('a', "levenshtein(repeat('a', 1000000) || id, repeat('b', 1000000)) > 0");
  const checks = [1, 2, 3].map(async () => check(served, stuck).catch(() => undefined));
  expect(await served.problems()).toEqual([]);
  const [ended] = await served.end();
  expect(ended?.problems).toEqual([]);
  await Promise.all(checks);
});
