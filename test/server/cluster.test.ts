// Services that share one state in PostgreSQL: any of them may be called, and what happens once happens once.
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from 'pg';
import { type LocalServiceOptions, startLocalService } from 'data-quality-client/local';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { fastClock } from '../support/fast-clock.ts';
import { isPostgresInstalled } from '../support/postgres-server.ts';
import { dataFolder } from '../support/served.ts';
import { receive } from './receiver.ts';
import { postgresStates } from './states.ts';

const hour = 3_600_000;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Readonly<Record<string, unknown>>;
}

describe.runIf(isPostgresInstalled)('services that share a state', () => {
  let databases: Awaited<ReturnType<typeof postgresStates>>;
  let source: string;

  beforeAll(async () => {
    databases = await postgresStates();
    source = await databases.newDatabase();
    const client = new Client(source);
    await client.connect();
    await client.query('CREATE TABLE orders (id int); INSERT INTO orders VALUES (1), (NULL)');
    await client.end();
  }, 60_000);
  afterAll(async () => databases[Symbol.asyncDispose]());

  /** Starts services that know the source `warehouse`, whose alerts go to `url`. */
  async function start(
    count: number,
    { url, ...options }: Partial<LocalServiceOptions> & { url?: string } = {},
  ) {
    const folder = await dataFolder({
      'dq.json': JSON.stringify({ destinations: url === undefined ? [] : [{ name: 'ops', url }] }),
    });
    const state = await databases.newDatabase();
    const failures: unknown[] = [];
    const services = await Promise.all(
      Array.from({ length: count }, async () =>
        startLocalService({
          data: folder.path,
          state,
          sources: { warehouse: source },
          allowDestinations: true,
          onError: (error) => failures.push(error),
          ...options,
        }),
      ),
    );
    onTestFinished(async () => {
      await Promise.all(services.map(async (service) => service.close()));
      await folder[Symbol.asyncDispose]();
      expect(failures).toEqual([]);
    });
    const assetId = services[0]?.assets.find(({ name }) => name === 'warehouse')?.id ?? '';
    const call = async (at: number, method: string, path: string, body?: unknown): Promise<Answer> => {
      const response = await fetch(`${services[at]?.url}/api/v1/sdk/${path.replace('{id}', assetId)}`, {
        method,
        headers: {
          Authorization: `Bearer ${services[0]?.keys.readWrite}`,
          'Content-Type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const { data = {} } = (await response.json()) as { data?: Answer['data'] };
      return { status: response.status, headers: response.headers, data };
    };
    return { services, state, call };
  }

  const rule = { rule_type: 'NOT_NULL', table_path: 'warehouse.public.orders', column_name: 'id' };

  test('make keys once, and each sees at once what was changed through another', async () => {
    const { services, call, state } = await start(2);
    expect(services[1]?.keys).toEqual(services[0]?.keys);
    expect(services[0]?.state).toBe(state.replace('owner@', ''));
    const { data } = await call(0, 'POST', 'validity/{id}', rule);
    const path = `validity/{id}/${String(data['uuid'])}`;
    expect((await call(1, 'GET', path)).data).toMatchObject({ severity: 'warning' });
    await call(1, 'PATCH', path, { severity: 'critical' });
    expect((await call(0, 'GET', path)).data).toMatchObject({ severity: 'critical' });
    const checked = await call(1, 'POST', `${path}/check`, {});
    expect(checked.data).toMatchObject({ status: 'fail', total_rows: 2, invalid_count: 1 });
    expect((await call(0, 'GET', `${path}/results`)).data['items']).toMatchObject([
      { id: checked.data['id'] },
    ]);
    await call(0, 'DELETE', path);
    expect((await call(1, 'GET', path)).status).toBe(404);
    const health = await fetch(`${services[1]?.url}/health`);
    expect(await health.json()).toMatchObject({ status: 'ok', state: 'ok' });
  });

  test('count the requests of a key together', async () => {
    const { call } = await start(2, { tier: 'free_trial' });
    const statuses: number[] = [];
    const remaining: number[] = [];
    while (statuses.length < 12) {
      const { status, headers } = await call(statuses.length % 2, 'GET', 'validity/{id}/summary');
      statuses.push(status);
      remaining.push(Number(headers.get('X-RateLimit-Remaining')));
      if (status === 429) await sleep(1000 * Number(headers.get('Retry-After')));
    }
    // Two a second: by the third at the latest, one is refused, whichever service it goes to.
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(3);
    const accepted = statuses.filter((status) => status === 200).length;
    expect(remaining.at(-1)).toBe(20 - accepted);
  });

  test('run what is due once, and send one alert for it', { timeout: 60_000 }, async () => {
    await using receiver = await receive();
    // An hour is four seconds.
    const clock = fastClock(Date.now(), hour / 4000);
    const { call } = await start(3, { url: receiver.url, clock });
    const created = await Promise.all(
      Array.from({ length: 6 }, async (_, at) =>
        call(at % 3, 'POST', 'validity/{id}', { ...rule, name: `rule ${at}`, check_interval: 'hourly' }),
      ),
    );
    const results = async () =>
      Promise.all(
        created.map(async ({ data }) => {
          const listed = await call(0, 'GET', `validity/{id}/${String(data['uuid'])}/results`);
          return (listed.data['items'] as readonly { checked_at: string }[]).map((item) =>
            Date.parse(item.checked_at),
          );
        }),
      );
    await vi.waitFor(async () => expect((await results()).every((times) => times.length >= 2)).toBe(true), {
      timeout: 40_000,
      interval: 500,
    });
    for (const times of await results()) {
      const gaps = times.slice(1).map((time, at) => (times[at] ?? 0) - time);
      expect(Math.min(...gaps)).toBeGreaterThan(hour / 2);
    }
    const alerts = (type: string) => {
      const found = receiver.received.filter(({ alert }) => alert.event?.type === type);
      return new Map(found.map(({ alert }) => [alert.alert?.id, alert]));
    };
    await vi.waitFor(() => expect(alerts('validity_failure').size).toBeGreaterThanOrEqual(6), 20_000);
    const names = Array.from(alerts('validity_failure').values(), ({ alert }) => alert?.rule_name);
    expect(names.toSorted()).toEqual(created.map((_, at) => `rule ${at}`));
    const discovered = Array.from(
      alerts('discovery_complete').values(),
      ({ event }) => event?.asset?.qualified_name,
    );
    expect(discovered.toSorted()).toEqual(['shop', 'warehouse']);
  });
});
