import { getEventListeners } from 'node:events';

import { DataQualityClient } from '../../src/index.ts';
import {
  gate,
  renderAnnotations,
  renderHtml,
  renderJson,
  renderJUnit,
  renderText,
} from '../../src/gate/index.ts';
import { exportRules, parseDefinition, plan } from '../../src/rules/index.ts';
import type { Instrument, Played } from './instrument.ts';
import { judgeError, secret } from './promises.ts';
import type { Random } from './random.ts';

const asset = '6f1c2a52-4b1e-4a52-9d6b-2f3a1f0c7e11';
const rule = { rule_type: 'NOT_NULL', table_path: 'a.b.c', column_name: 'id' } as const;
const definition = parseDefinition(
  'tables:\n  a.b.c:\n    rules:\n      - rule_type: NOT_NULL\n        column_name: id\n',
);

/** Everything that reads a response. */
const readers: Readonly<Record<string, (client: DataQualityClient) => Promise<unknown>>> = {
  'validity.summary': (client) => client.validity.summary(asset),
  'validity.list': (client) => client.validity.list(asset).toArray(),
  'validity.get': (client) => client.validity.get(asset, 'r'),
  'validity.create': (client) => client.validity.create(asset, rule),
  'validity.update': (client) => client.validity.update(asset, 'r', {}),
  'validity.delete': (client) => client.validity.delete(asset, 'r'),
  'validity.check': (client) => client.validity.check(asset, 'r'),
  'validity.results': (client) => client.validity.results(asset, 'r').toArray(),
  'metrics.summary': (client) => client.metrics.summary(asset),
  'metrics.list': (client) => client.metrics.list(asset).toArray(),
  'metrics.capture': (client) => client.metrics.capture(asset, 'm'),
  'metrics.snapshots': (client) => client.metrics.snapshots(asset, 'm').toArray(),
  'freshness.get': (client) => client.freshness.get(asset),
  'freshness.overview': (client) => client.freshness.overview(asset),
  'lineage.upload': (client) => client.lineage.upload(asset, {}),
  request: (client) => client.request({ method: 'GET', path: '/api/v1/x' }),
  paginate: (client) => client.paginate({ path: '/api/v1/x' }).toArray(),
  async gate(client) {
    const verdict = await gate(client, asset, { rules: {}, freshness: true, metrics: {} });
    for (const render of [renderText, renderJson, renderJUnit, renderAnnotations, renderHtml])
      render(verdict);
  },
  plan: (client) => plan(client, asset, definition),
  export: (client) => exportRules(client, asset),
};

const names = Object.keys(readers);

/** A body that every reader takes, to be spoiled. */
const whole = {
  success: true,
  data: {
    id: 1,
    uuid: 'v_1',
    name: 'n',
    rule_type: 'RANGE',
    rule_config: { min: 1, max: 2 },
    table_path: 'a.b.c',
    column_name: 'id',
    metric_type: 'row_count',
    severity: 'critical',
    is_active: true,
    status: 'pass',
    latest_result: { status: 'fail', executed_at: '2026-01-01T00:00:00Z', invalid_percent: 1.5 },
    total_rows: 10,
    invalid_count: 1,
    invalid_percent: 10,
    invalid_samples: { samples: [{ row_id: 1, value: 'x' }] },
    snapshots: [
      { id: 1, value: 5, status: 'NORMAL', captured_at: '2026-01-01T00:00:00Z', is_anomaly: false },
    ],
    items: [{ id: 1, uuid: 'v_1', name: 'n', rule_type: 'NOT_NULL', table_path: 'a.b.c', column_name: 'id' }],
    asset: { freshness: { status: 'fresh', age_minutes: 5 } },
    freshness: { status: 'fresh', last_updated: '2026-01-01T00:00:00Z' },
  },
  pagination: { total: 1, limit: 50, offset: 0, has_more: false },
  sync_stats: { nodes_created: 1 },
};

const deepLevels = 100_000;

/** Texts of JSON values that somebody may not expect. */
const spoilers: readonly ((random: Random) => string)[] = [
  () => `${'['.repeat(deepLevels)}${']'.repeat(deepLevels)}`,
  () => `${'{"a":'.repeat(deepLevels)}1${'}'.repeat(deepLevels)}`,
  () => '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  () => '{"toString":1,"valueOf":1,"toJSON":1,"then":1,"length":-1,"Symbol.iterator":1}',
  (random) => random.pick(['1e999', '-1e999', '1e308', '9007199254740993', '-0', '5e-324', '1'.repeat(400)]),
  (random) =>
    JSON.stringify(
      random.pick([
        '',
        '\u0000',
        '\u001b[2J',
        '\u202e',
        '\ud800',
        '::error::x',
        '<script>',
        'x'.repeat(100_000),
      ]),
    ),
  (random) =>
    random.pick(['null', 'true', 'false', '[]', '{}', '""', '0', '-1', '"fail"', '[[]]', '[null]', '[{}]']),
  (random) =>
    JSON.stringify(Array.from({ length: random.below(2000) }, (_, id) => ({ id, uuid: `v_${id % 7}` }))),
];

/** Bodies of any JSON, and good ones with any JSON in any place of them. */
export const hostileJson: Instrument = {
  concurrency: 2,
  start: async () => ({ play, end: async () => [] }),
};

async function play(index: number, random: Random): Promise<Played> {
  const name = names[index % names.length] as string;
  const { signal } = new AbortController();
  let sent = 0;
  const client = new DataQualityClient({
    apiKey: secret,
    baseUrl: 'http://127.0.0.1:1',
    rateLimit: false,
    maxRetries: 1,
    retryDelay: 1,
    logLevel: 'off',
    responseValidation: random.pick(['throw', 'warn', 'off'] as const),
    fetch: async () => {
      sent += 1;
      // A list that never ends is the fault of the service, and must be refused long before this.
      if (sent > 2000) throw new RangeError('too many requests');
      return new Response(spoil(random), {
        status: random.pick([200, 200, 200, 200, 201, 400, 404, 422, 500]),
      });
    },
  });
  let problems: string[] = [];
  try {
    await readers[name]?.(client);
  } catch (error) {
    problems = judgeError(error, sent);
  }
  if (sent > 2000) problems.push('asked for pages without end');
  if ('polluted' in {}) problems.push('a prototype was changed');
  if (getEventListeners(signal, 'abort').length > 0) problems.push('left a listener');
  return { kind: name, problems };
}

/** A good body in which one to three places were replaced, by text so that what no object can hold can be sent. */
function spoil(random: Random): string {
  if (random.oneIn(10)) return random.pick(spoilers)(random);
  const put: string[] = [];
  let body: unknown = structuredClone(whole);
  for (let count = 1 + random.below(3); count > 0; count -= 1) {
    const mark = `@${put.length}@`;
    put.push(random.pick(spoilers)(random));
    body = replaceSomewhere(body, mark, random);
  }
  return JSON.stringify(body).replaceAll(/"@(\d)@"/g, (_, at: string) => put[Number(at)] ?? 'null');
}

function replaceSomewhere(value: unknown, mark: string, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.oneIn(6)) return mark;
  const keys = Object.keys(value);
  if (keys.length === 0) return mark;
  const key = random.pick(keys);
  Reflect.set(value, key, replaceSomewhere(Reflect.get(value, key), mark, random));
  return value;
}
