// Whatever JSON stands anywhere in what the gate reads: a verdict, and `passed` only if nothing speaks against it.
import { DataQualityClient, isDataQualityError } from 'data-quality-client';
import {
  gate,
  renderAnnotations,
  renderHtml,
  renderJson,
  renderJUnit,
  renderMarkdown,
  renderStepSummary,
  renderText,
  type Verdict,
  withSamples,
} from 'data-quality-client/gate';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';

const assetId = '5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01';
const pagination = { total: 1, limit: 100, offset: 0, has_more: false };
const place = { table_path: 'shop.sales.orders', column_name: 'amount' };

/** Everything the gate reads, typed by hand from the interface document; all of it is good. */
const good = {
  rules: {
    data: {
      items: [
        { id: 1, uuid: 'v_1', ...place, rule_type: 'RANGE', name: 'r', severity: 'warning', is_active: true },
      ],
    },
    pagination,
  },
  check: {
    data: {
      id: 9,
      validity_rule_id: 1,
      status: 'pass',
      total_rows: 100,
      invalid_count: 1,
      invalid_percent: 1,
      invalid_samples: { samples: [{ row_id: 4, value: 'x' }] },
      execution_duration_ms: 12,
      checked_at: '2026-03-01T08:00:00Z',
    },
  },
  metrics: {
    data: { items: [{ id: 'm_1', internal_id: 3, ...place, metric_type: 'row_count', is_active: true }] },
    pagination,
  },
  capture: {
    data: {
      snapshot_count: 1,
      snapshots: [
        { id: 5, value: 100, captured_at: '2026-03-01T08:00:00Z', is_anomaly: false, status: 'PASS' },
      ],
    },
  },
  freshness: {
    success: true,
    data: { asset: 'shop.sales', status: 'fresh', sla_status: 'within_sla', data_age_minutes: 5 },
    message: null,
  },
};

/** The shape of a value, with anything at its leaves. */
type Odd<Value> = Value extends readonly (infer Item)[]
  ? readonly Odd<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Odd<Value[Key]> }
    : unknown;

type Bodies = Odd<typeof good>;

const is = (word: unknown, wanted: string): boolean =>
  typeof word === 'string' && word.trim().toLowerCase() === wanted;

const below = (value: unknown, limit: unknown): boolean =>
  typeof value === 'number' && typeof limit === 'number' && value < limit;

/** Whether the gate may open, read from the bodies without a line of the package. */
function mayOpen(bodies: Bodies): boolean {
  const list = ({ data, pagination: pages }: Bodies['rules'] | Bodies['metrics']): boolean => {
    const { items } = data;
    const active = items.every((item) => item !== null && typeof item === 'object');
    const { total } = { ...pages };
    const complete = typeof total !== 'number' || total <= items.length;
    return active && complete && items.some(({ is_active }) => is_active !== false);
  };
  const { check, capture, freshness } = bodies;
  const { status, total_rows: rows, invalid_count: invalid, invalid_percent: percent } = check.data;
  const contradicts = below(invalid, 0) || below(rows, invalid) || below(percent, 0) || below(100, percent);
  const counted = typeof rows === 'number' && rows > 0 && !contradicts;
  const { snapshots, snapshot_count: count } = capture.data;
  const captured = snapshots.every(
    ({ value, status: word, is_anomaly }) =>
      Number.isFinite(value) && value !== 0 && is(word, 'pass') && is_anomaly !== true,
  );
  const whole = snapshots.length > 0 && (count === null || count === snapshots.length);
  const { data, success } = freshness;
  const { data_age_minutes: age } = data;
  const isFresh = is(data.status, 'fresh') && typeof age === 'number' && age >= 0 && age <= 90;
  const told = success !== false && !is(data.sla_status, 'violated');
  const opens = list(bodies.rules) && list(bodies.metrics) && is(status, 'pass') && counted;
  return opens && captured && whole && isFresh && told;
}

/** The paths of every value in a body, the body itself included. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const children = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [path, ...children.flatMap(([key, child]) => pathsOf(child, [...path, key]))];
}

function replaceAt(value: unknown, [key, ...rest]: readonly string[], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((child, at) => (String(at) === key ? replaceAt(child, rest, replacement) : child));
  }
  const record = value as Record<string, unknown>;
  return { ...record, [key]: replaceAt(record[key], rest, replacement) };
}

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    0,
    -1,
    101,
    '',
    'fail',
    'WARNING',
    'PASS',
    'stale',
    true,
    false,
    [],
    [null],
    {
      toString: 1,
    },
  ),
);

const spoilt: fc.Arbitrary<Bodies> = fc
  .array(fc.tuple(fc.constantFrom(...pathsOf(good).slice(1)), anything), { minLength: 1, maxLength: 3 })
  .map((changes) =>
    changes.reduce<unknown>((bodies, [path, value]) => {
      try {
        return replaceAt(bodies, path, value);
      } catch {
        // An earlier change took the place away.
        return bodies;
      }
    }, good),
  ) as fc.Arbitrary<Bodies>;

function respond(bodies: Bodies, { method, url }: Request): unknown {
  const { pathname } = new URL(url);
  if (pathname.endsWith('/freshness')) return bodies.freshness;
  if (pathname.includes('/validity/')) return method === 'GET' ? bodies.rules : bodies.check;
  return method === 'GET' ? bodies.metrics : bodies.capture;
}

async function run(
  bodies: Bodies,
  responseValidation: 'throw' | 'warn' | 'off',
  fields: { readonly allowEmpty?: boolean } = {},
): Promise<Verdict> {
  const client = new DataQualityClient({
    baseUrl: 'https://dq.test',
    apiKey: 'key',
    fetch: async (input, init) => Response.json(respond(bodies, new Request(input, init))),
    responseValidation,
    rateLimit: false,
    maxRetries: 0,
    logLevel: 'off',
  });
  const freshness = { maxAgeMinutes: 90 };
  return await gate(client, assetId, { freshness, metrics: true, throw: false, ...fields });
}

it('opens if all is good', async () => {
  expect(mayOpen(good)).toBe(true);
  expect(await run(good, 'throw')).toMatchObject({ outcome: 'passed', exitCode: 0 });
});

it.each(['throw', 'warn', 'off'] as const)(
  'concludes from any JSON with responseValidation %s, and never opens against the facts',
  async (mode) => {
    await fc.assert(
      fc.asyncProperty(spoilt, async (bodies) => {
        const verdict = await run(bodies, mode);
        expect(verdict.outcome === 'passed' && !mayOpen(bodies)).toBe(false);
        const { checks, metrics, freshness } = verdict;
        const errors = [...checks, ...metrics, ...freshness].flatMap(({ error }) => error ?? []);
        expect(errors.filter((error) => !isDataQualityError(error))).toEqual([]);
        for (const shown of [verdict, withSamples(verdict, 'masked'), withSamples(verdict, 'none')]) {
          for (const render of [renderText, renderJson, renderJUnit, renderMarkdown, renderHtml]) {
            expect(render(shown)).toContain('');
          }
          expect(renderAnnotations(shown).split('\n').length).toBeLessThanOrEqual(11);
          expect(renderStepSummary(shown)).not.toBe('');
        }
      }),
      { numRuns: 150 },
    );
  },
  120_000,
);
