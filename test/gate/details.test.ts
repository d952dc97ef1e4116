import { getEventListeners } from 'node:events';

import {
  DataQualityClient,
  type Freshness,
  GateFailedError,
  GateInconclusiveError,
  InvalidRequestError,
} from 'data-quality-client';
import {
  gate,
  type GateEvent,
  isGateError,
  renderAnnotations,
  renderHtml,
  renderJUnit,
  renderMarkdown,
  renderText,
  withSamples,
} from 'data-quality-client/gate';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { assetId, createRule, setUp } from './fake.ts';
import { everything, ruleCheck, verdictOf } from './verdicts.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** The samples of a rule, as they are stored and as a rendering shows them. */
function withRows(samples: readonly unknown[]) {
  return verdictOf({ checks: [ruleCheck('failed', { result: { invalid_samples: { samples } } as never })] });
}

/** Why a rule of `setUp` fails that one row in four breaks. */
function reason(at: number): string {
  return `column ${at} (NOT_NULL on shop.sales.orders.column_${at}): 1 of 4 rows is invalid (25.00 %)`;
}

describe('the error of a gate', () => {
  it('is told apart from every other error', () => {
    const verdict = everything();
    expect(isGateError(new GateFailedError('failed', verdict))).toBe(true);
    expect(isGateError(new GateInconclusiveError('inconclusive', verdict))).toBe(true);
    for (const other of [
      new InvalidRequestError('gate', []),
      new Error('x'),
      { code: 'GATE_FAILED' },
      undefined,
    ]) {
      expect(isGateError(other)).toBe(false);
    }
  });

  it.each([
    [3, ''],
    [5, '; and 2 more, see error.verdict'],
  ])('names three of %d reasons, and counts the rest', async (count, rest) => {
    const { fake, client } = setUp();
    for (let at = 0; at < count; at++) {
      const { uuid } = await createRule(client, `column ${at}`);
      fake.setCheckResult(uuid, { status: 'fail', total_rows: 4, invalid_count: 1 });
    }
    const error = await gate(client, assetId).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toBe(`Gate failed: ${[0, 1, 2].map(reason).join('; ')}${rest}`);
  });

  it('passes on what the service advises, as a sentence of its own', async () => {
    const { fake, client } = setUp();
    await createRule(client, 'amount');
    for (const [message, suggestion, end] of [
      ['no warehouse', 'Start it.', 'no warehouse. Start it.'],
      ['No warehouse.', 'Start it.', 'No warehouse. Start it.'],
      ['no warehouse', 5, 'no warehouse'],
    ] as const) {
      const details = { suggestion };
      const body = JSON.stringify({ error: { code: 'RULE_NOT_FOUND', message, details } });
      fake.failNext({ on: 'POST *', status: 404, body });
      const { checks } = await gate(client, assetId, { throw: false });
      expect(checks[0]?.reason?.endsWith(end)).toBe(true);
    }
  });
});

describe('options', () => {
  it('sends the sample limit with every check, and nothing without one', async () => {
    const { fake, client } = setUp();
    await createRule(client, 'amount');
    const bodies: unknown[] = [];
    const listening = new DataQualityClient({
      baseUrl: fake.baseUrl,
      apiKey: fake.keys.readWrite,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        if (request.method === 'POST') bodies.push(await request.clone().text());
        return fake.fetch(request);
      },
    });
    for (const sampleLimit of [undefined, 0, 3]) await gate(listening, assetId, { sampleLimit });
    expect(bodies.slice(1)).toEqual(['{"sample_limit":0}', '{"sample_limit":3}']);
    expect(bodies[0]).not.toContain('sample_limit');
  });

  it.each([
    [{ sampleLimit: -1 }, 'sampleLimit'],
    [{ sampleLimit: 1.5 }, 'sampleLimit'],
    [{ metrics: 5 }, 'metrics'],
    [{ rules: { severities: 'critical' } }, 'severities'],
    [{ timeout: 2 ** 31 }, 'timeout'],
    [{ freshness: { waitMs: 2 ** 31 } }, 'waitMs'],
  ])('refuses %j before any request', async (options, named) => {
    const { fake, client } = setUp();
    await expect(gate(client, assetId, options as object)).rejects.toMatchObject({
      name: 'InvalidRequestError',
      message: expect.stringContaining(named),
    });
    expect(fake.requests).toEqual([]);
  });

  it('accepts the longest time that a timer can wait', async () => {
    const { fake, client } = setUp();
    fake.setFreshness(assetId, { status: 'fresh' });
    const longest = 2 ** 31 - 1;
    const options = { rules: false, freshness: { waitMs: longest }, timeout: longest };
    expect(await gate(client, assetId, options)).toMatchObject({ outcome: 'passed' });
  });

  it.each([5, ''])('refuses the asset id %j', async (id) => {
    const { client } = setUp();
    await expect(gate(client, [id as string])).rejects.toMatchObject({ name: 'InvalidRequestError' });
  });
});

it('leaves no timer and no listener behind, and measures its own time', async () => {
  const { client } = setUp();
  await createRule(client, 'amount');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { signal } = new AbortController();
  const verdict = await gate(client, assetId, { timeout: 60_000, signal });
  expect(verdict.durationMs).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('reports each metric as it is captured, and counts only active ones', async () => {
  const { client } = setUp();
  const metric = { metric_type: 'row_count', table_path: 'shop.sales.orders' } as const;
  const { id } = await client.metrics.create(assetId, metric);
  const off = await client.metrics.create(assetId, metric);
  await client.metrics.update(assetId, off.id, { is_active: false });
  const events: GateEvent[] = [];
  const onProgress = (event: GateEvent) => void events.push(event);
  await gate(client, assetId, { rules: false, metrics: true, onProgress, throw: false });
  expect(events.filter(({ type }) => type === 'metric')).toMatchObject([{ check: { metric: { id } } }]);
  expect(events.find(({ type }) => type === 'started')).toMatchObject({ part: 'metrics', count: 1 });
});

it('keeps the snapshots of a capture, and none that are no list', async () => {
  const { fake, client } = setUp();
  await client.metrics.create(assetId, { metric_type: 'row_count', table_path: 'shop.sales.orders' });
  const lax = new DataQualityClient({
    baseUrl: fake.baseUrl,
    fetch: fake.fetch,
    apiKey: fake.keys.readWrite,
    responseValidation: 'off',
  });
  const options = { rules: false, metrics: true, throw: false } as const;
  expect((await gate(lax, assetId, options)).metrics[0]?.snapshots).toHaveLength(1);
  fake.failNext({ on: 'POST *', body: JSON.stringify({ data: { snapshots: 'none' } }) });
  const { metrics } = await gate(lax, assetId, options);
  expect(metrics).toMatchObject([{ outcome: 'inconclusive' }]);
  expect(metrics[0]).not.toHaveProperty('snapshots');
});

describe('samples', () => {
  it.each([
    [{ row_id: 3, value: 'a' }, 'row 3: "a"'],
    [{ row_id: 'k7', value: 1 }, 'row k7: 1'],
    [{ row_id: true, value: 1 }, '1'],
    [{ value: 1, more: 2 }, '1 {"more":2}'],
    [{ row_id: 3 }, 'row 3: no value'],
    ['text', '"text"'],
    [{}, '{}'],
    [undefined, 'no value'],
  ])('%j is shown as %s', (sample, text) => {
    expect(renderText(withRows([sample]))).toContain(`\n    ${text}\n`);
  });

  it.each([
    ['x'.repeat(40), 'x'.repeat(40)],
    ['ab', 'xx'],
    [7, '9'],
    [null, null],
  ])('%j by itself is masked as %j', (sample, masked) => {
    const [check] = withSamples(withRows([sample]), 'masked').checks;
    expect(check?.result?.invalid_samples).toEqual({ samples: [{ value: masked }] });
  });

  it('masks a row id that is a text, as it can be a key of the data', () => {
    const [check] = withSamples(withRows([{ row_id: 'jane', value: undefined }]), 'masked').checks;
    expect(check?.result?.invalid_samples).toEqual({ samples: [{ row_id: 'xxxx', value: undefined }] });
  });

  it.each(['none', 'masked'] as const)('%s adds no samples where there were none', (mode) => {
    const checks = [
      ruleCheck('inconclusive'),
      ruleCheck('passed', { result: { id: 1 } }),
      ruleCheck('passed', { result: { id: 1, invalid_samples: null } }),
    ];
    expect(withSamples(verdictOf({ checks }), mode).checks).toEqual(checks);
  });

  it('are listed in the page, of the rule that has some', () => {
    const html = renderHtml(withRows([{ row_id: 3, value: '<b>' }]));
    expect(html).toContain(
      '<details><summary>1 samples</summary><ul><li><code>row 3: &quot;&lt;b&gt;&quot;</code></li></ul></details>',
    );
    expect(renderHtml(verdictOf({ checks: [ruleCheck('passed')] }))).not.toContain('<details>');
  });
});

describe('rendering', () => {
  it('leaves out columns of the text that are empty throughout', () => {
    const freshness = { asset: 'shop.sales', status: 'fresh' } as Freshness;
    const verdict = verdictOf({ freshness: [{ assetId, outcome: 'passed', freshness }] });
    expect(renderText(verdict).split('\n')[0]).toBe('passed  shop.sales  freshness  fresh');
  });

  it('puts what has no severity behind the rules of the same outcome', () => {
    const checks = [ruleCheck('failed', { rule: { severity: 'info' } })];
    const freshness = [{ assetId, outcome: 'failed' as const, reason: 'the data is stale' }];
    const lines = renderText(verdictOf({ checks, freshness })).split('\n');
    expect(lines[0]).toContain('RANGE');
    expect(lines[1]).toContain('the data is stale');
  });

  it('puts several lines of a text onto one', () => {
    const checks = [ruleCheck('failed', { name: 'a \n\n b' })];
    expect(renderText(verdictOf({ checks }))).toContain('RANGE a b  it failed');
    expect(renderMarkdown(verdictOf({ checks }))).toContain('RANGE a b |');
  });

  it('has no empty table or section in Markdown', () => {
    expect(renderMarkdown(verdictOf({ checks: [ruleCheck('passed')] })).match(/\| Outcome/g)).toHaveLength(1);
    expect(renderMarkdown(verdictOf({ checks: [ruleCheck('failed')] }))).not.toContain('passed or skipped');
  });

  it('calls annotations that are left out errors if one of them closes the gate', () => {
    const failed = Array.from({ length: 10 }, () => ruleCheck('failed'));
    const text = renderAnnotations(verdictOf({ checks: [...failed, ruleCheck('tolerated')] }));
    expect(text.trimEnd().split('\n').at(-1)).toBe(
      '::error title=Data quality::and 2 more, see the step summary',
    );
  });

  it('numbers the suites of JUnit from 0, in the order of the assets', () => {
    const checks = [ruleCheck('passed'), { ...ruleCheck('passed'), assetId: 'other' }];
    const ids = Array.from(
      renderJUnit(verdictOf({ checks })).matchAll(/<testsuite [^>]*\bid="(-?\d+)"/g),
      ([, id]) => id,
    );
    expect(ids).toEqual(['0', '1']);
  });
});
