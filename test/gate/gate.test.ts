import { GateFailedError, GateInconclusiveError, InvalidRequestError } from 'data-quality-client';
import { gate, type GateEvent, isGateError } from 'data-quality-client/gate';
import { describe, expect, it } from 'vitest';

import { assetId, clientOf, createRule, otherAssetId, setUp } from './fake.ts';

describe('rules', () => {
  it('passes if every active rule passes', async () => {
    const { client } = setUp();
    await createRule(client, 'amount');
    const verdict = await gate(client, assetId);
    expect(verdict).toMatchObject({
      outcome: 'passed',
      exitCode: 0,
      reasons: [],
      problems: [],
      counts: { passed: 1, failed: 0, inconclusive: 0, tolerated: 0, skipped: 0 },
      checks: [{ assetId, outcome: 'passed', rule: { name: 'amount' }, result: { status: 'pass' } }],
    });
    expect(verdict.checks[0]).not.toHaveProperty('reason');
  });

  it('fails by the exact percentage the service judged, and throws the verdict', async () => {
    const { fake, client } = setUp();
    const rule = await createRule(client, 'amount');
    fake.setCheckResult(rule.uuid, {
      total_rows: 3_000_000,
      invalid_count: 1,
      samples: [{ row_id: 7, value: 'x' }],
    });
    const error = await gate(client, assetId).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GateFailedError);
    if (!isGateError(error)) throw error;
    expect(error.verdict).toMatchObject({ outcome: 'failed', exitCode: 1 });
    expect(error.verdict.checks[0]?.result?.invalid_percent).toBe((100 * 1) / 3_000_000);
    expect(error.message).toBe(
      'Gate failed: amount (NOT_NULL on shop.sales.orders.amount): 1 of 3,000,000 rows is invalid (0.00003 %)',
    );
  });

  it.each([
    ['PASS', 'passed'],
    ['Fail', 'failed'],
    ['error', 'inconclusive'],
    ['ERROR', 'inconclusive'],
    ['warning', 'inconclusive'],
    ['', 'inconclusive'],
  ])('reads the status %j as %s', async (status, outcome) => {
    const { fake, client } = setUp();
    const rule = await createRule(client, 'amount');
    fake.setCheckResult(rule.uuid, { status });
    expect(await gate(client, assetId, { throw: false })).toMatchObject({ outcome, checks: [{ outcome }] });
  });

  it.each([
    ['info', undefined, 'tolerated'],
    ['warning', undefined, 'failed'],
    ['info', 'info', 'failed'],
    ['warning', 'critical', 'tolerated'],
    ['critical', 'critical', 'failed'],
  ] as const)('with severity %s and failOn %s a failed rule is %s', async (severity, failOn, outcome) => {
    const { fake, client } = setUp();
    const rule = await createRule(client, 'amount', { severity });
    fake.setCheckResult(rule.uuid, { status: 'fail' });
    const verdict = await gate(client, assetId, { failOn, throw: false });
    expect(verdict.checks).toMatchObject([{ outcome }]);
    expect(verdict.outcome).toBe(outcome === 'failed' ? 'failed' : 'passed');
  });

  it('takes a severity it does not know for the highest, and a missing one for the default', async () => {
    const { fake, client } = setUp();
    const { uuid } = await createRule(client, 'amount');
    fake.setCheckResult(uuid, { status: 'fail' });
    const outcomeWith = async (severity: string | null): Promise<unknown> => {
      const items = [{ id: 1, uuid, severity, is_active: true }];
      fake.failNext({ on: 'GET *', body: JSON.stringify({ data: { items } }) });
      return (await gate(client, assetId, { failOn: 'critical', throw: false })).checks[0]?.outcome;
    };
    expect(await outcomeWith('blocker')).toBe('failed');
    expect(await outcomeWith('CRITICAL')).toBe('failed');
    expect(await outcomeWith(null)).toBe('tolerated');
  });

  it('isolates a check that errs from its siblings', async () => {
    const { fake, client } = setUp();
    for (const name of ['a', 'b', 'c']) await createRule(client, name);
    fake.failNext({ on: 'POST /api/v1/sdk/validity/*', status: 500 });
    const verdict = await gate(client, assetId, { concurrency: 1, throw: false });
    expect(verdict.checks.map(({ outcome }) => outcome)).toEqual(['inconclusive', 'passed', 'passed']);
    expect(verdict).toMatchObject({ outcome: 'inconclusive', exitCode: 6 });
    expect(verdict.checks[0]?.error).toMatchObject({ name: 'InternalError' });
  });

  it('fails if one check fails and another is inconclusive', async () => {
    const { fake, client } = setUp();
    const bad = await createRule(client, 'bad');
    const broken = await createRule(client, 'broken');
    fake.setCheckResult(bad.uuid, { status: 'fail' });
    fake.setCheckResult(broken.uuid, { status: 'error' });
    const verdict = await gate(client, assetId, { throw: false });
    expect(verdict).toMatchObject({ outcome: 'failed', exitCode: 1, counts: { failed: 1, inconclusive: 1 } });
    expect(verdict.reasons[0]).toContain('bad (NOT_NULL');
  });

  it('lists an inactive rule as skipped, and checks none', async () => {
    const { fake, client } = setUp();
    const rule = await createRule(client, 'off');
    await createRule(client, 'on');
    await client.validity.update(assetId, rule.uuid, { is_active: false });
    const verdict = await gate(client, assetId);
    expect(verdict.checks.map(({ outcome }) => outcome)).toEqual(['skipped', 'passed']);
    expect(fake.requests.filter(({ path }) => path.includes(rule.uuid) && path.endsWith('/check'))).toEqual(
      [],
    );
  });

  it('selects by type, table, severity and id', async () => {
    const { client } = setUp();
    const a = await createRule(client, 'a', { severity: 'critical' });
    await createRule(client, 'b', { table_path: 'shop.sales.items' });
    const names = async (rules: NonNullable<Parameters<typeof gate>[2]>['rules']): Promise<unknown[]> =>
      (await gate(client, assetId, { rules, throw: false })).checks.map(({ rule }) => rule.name);
    expect(await names({ severity: 'CRITICAL' })).toEqual(['a']);
    expect(await names({ table_path: ['shop.sales.items'] })).toEqual(['b']);
    expect(await names({ rule_type: ['not_null', 'UNIQUE'] })).toEqual(['a', 'b']);
    expect(await names({ ids: [a.uuid], severity: 'warning' })).toEqual([]);
  });

  it('checks each page of a long list, in the order of the list', async () => {
    const { client } = setUp();
    for (let at = 0; at < 130; at++) await createRule(client, `column ${at}`);
    const verdict = await gate(client, assetId);
    expect(verdict.checks.map(({ rule }) => rule.name)).toEqual(
      Array.from({ length: 130 }, (_, at) => `column ${at}`),
    );
  });
});

describe('an empty selection', () => {
  it.each([
    ['an asset without rules', {}, 6],
    ['only other rules', { rules: { severity: 'critical' } }, 6],
    ['nothing at all', { rules: false }, 6],
    ['an id no asset has', { rules: { ids: ['v_none'] } }, 4],
    ['an asset without metrics', { rules: false, metrics: true }, 6],
    ['a metric no asset has', { rules: false, metrics: { ids: ['m_none'] } }, 4],
  ])('is inconclusive: %s', async (_, options, exitCode) => {
    const { client } = setUp();
    const error = await gate(client, assetId, options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GateInconclusiveError);
    expect(error).toMatchObject({ verdict: { outcome: 'inconclusive', exitCode } });
  });

  it('is inconclusive if one of several assets has nothing to check', async () => {
    const { client } = setUp();
    await createRule(client, 'amount');
    const verdict = await gate(client, [assetId, otherAssetId], { throw: false });
    expect(verdict).toMatchObject({ outcome: 'inconclusive', counts: { passed: 1 } });
    expect(verdict.problems).toMatchObject([{ assetId: otherAssetId }]);
  });

  it('is inconclusive if only inactive rules are left, and without assets', async () => {
    const { client } = setUp();
    const { uuid } = await createRule(client, 'off');
    await client.validity.update(assetId, uuid, { is_active: false });
    expect(await gate(client, assetId, { throw: false })).toMatchObject({ outcome: 'inconclusive' });
    expect(await gate(client, [], { throw: false })).toMatchObject({ outcome: 'inconclusive', exitCode: 6 });
  });

  it('may belong to any asset if ids are given', async () => {
    const { client } = setUp();
    const { uuid } = await createRule(client, 'amount');
    expect(await gate(client, [otherAssetId, assetId], { rules: { ids: [uuid] } })).toMatchObject({
      outcome: 'passed',
    });
  });
});

describe('exit codes', () => {
  it('is 3 for a key that is invalid or lacks the scope', async () => {
    const { fake, client } = setUp();
    await createRule(client, 'amount');
    for (const key of ['wrong', fake.keys.readOnly]) {
      const verdict = await gate(clientOf(fake, key), assetId, { throw: false });
      expect(verdict).toMatchObject({ outcome: 'inconclusive', exitCode: 3 });
    }
  });

  it('is 4 for an unknown asset, without hiding the others', async () => {
    const { client } = setUp();
    await createRule(client, 'amount');
    const unknown = '00000000-0000-4000-8000-000000000000';
    const error = await gate(client, [unknown, assetId]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      cause: { code: 'ASSET_NOT_FOUND' },
      verdict: { exitCode: 4, counts: { passed: 1 } },
    });
  });

  it('is 5 if rate limited, and 1 if a rule failed as well', async () => {
    const { fake, client } = setUp();
    await createRule(client, 'limited');
    const bad = await createRule(client, 'bad');
    const limitFirst = (): void => fake.failNext({ on: 'POST *', status: 429, retryAfter: 1 });
    limitFirst();
    expect(await gate(client, assetId, { concurrency: 1, throw: false })).toMatchObject({ exitCode: 5 });
    fake.setCheckResult(bad.uuid, { status: 'fail' });
    limitFirst();
    expect(await gate(client, assetId, { concurrency: 1, throw: false })).toMatchObject({
      exitCode: 1,
      counts: { failed: 1, inconclusive: 1 },
    });
  });
});

describe('freshness', () => {
  it.each([
    [{ status: 'fresh' }, true, 'passed'],
    [{ status: 'FRESH' }, true, 'passed'],
    [{ status: 'stale', data_age_minutes: 90 }, true, 'failed'],
    [{ status: 'unknown' }, true, 'inconclusive'],
    [{ status: 'dusty' }, true, 'inconclusive'],
    [{ status: 'fresh', data_age_minutes: 90 }, { maxAgeMinutes: 60 }, 'failed'],
    [{ status: 'stale', data_age_minutes: 59 }, { maxAgeMinutes: 60 }, 'failed'],
    [{ status: 'fresh', data_age_minutes: 60 }, { maxAgeMinutes: 60 }, 'passed'],
    [{ status: 'stale', data_age_minutes: null }, { maxAgeMinutes: 60 }, 'inconclusive'],
    [{ status: 'unknown', data_age_minutes: 5 }, { maxAgeMinutes: 60 }, 'inconclusive'],
    [{ status: 'stale', data_age_minutes: 90 }, { waitMs: 1 }, 'failed'],
    [{ status: 'unknown' }, { waitMs: 1 }, 'inconclusive'],
  ] as const)('reads %j against %j as %s', async (freshness, demand, outcome) => {
    const { fake, client } = setUp();
    fake.setFreshness(assetId, freshness);
    const verdict = await gate(client, assetId, { rules: false, freshness: demand, throw: false });
    expect(verdict).toMatchObject({ outcome, freshness: [{ assetId, outcome }] });
  });

  it('is inconclusive if it is not configured', async () => {
    const { client } = setUp();
    const verdict = await gate(client, assetId, { rules: false, freshness: true, throw: false });
    expect(verdict.freshness).toMatchObject([
      { outcome: 'inconclusive', error: { code: 'FRESHNESS_NOT_CONFIGURED' } },
    ]);
  });

  it('is looked at before anything is checked', async () => {
    const { fake, client } = setUp();
    await createRule(client, 'amount');
    fake.setFreshness(assetId, { status: 'fresh' });
    const before = fake.requests.length;
    await gate(client, assetId, { freshness: { waitMs: 1000 } });
    expect(fake.requests[before]?.path).toMatch(/freshness$/);
  });
});

describe('metrics', () => {
  it('captures the selected ones, and an anomaly in any group fails', async () => {
    const { fake, client } = setUp();
    const table = { table_path: 'shop.sales.orders' };
    const rows = await client.metrics.create(assetId, { metric_type: 'row_count', ...table });
    const nulls = await client.metrics.create(assetId, {
      metric_type: 'null_percent',
      column_name: 'a',
      ...table,
    });
    const off = await client.metrics.create(assetId, { metric_type: 'row_count', ...table });
    await client.metrics.update(assetId, off.id, { is_active: false });
    fake.setMetricValue(rows.id, [
      { value: 3, group_values: { country: 'fr' } },
      { value: 900, is_anomaly: true, group_values: { country: 'de' } },
    ]);
    const verdict = await gate(client, assetId, { rules: false, metrics: true, throw: false });
    expect(verdict.metrics.map(({ outcome }) => outcome)).toEqual(['failed', 'passed', 'skipped']);
    expect(verdict.reasons).toEqual([
      'row_count of shop.sales.orders: the value 900 is an anomaly in 1 of 2 groups',
    ]);
    const one = await gate(client, assetId, { rules: false, metrics: { ids: [nulls.id] } });
    expect(one).toMatchObject({ outcome: 'passed', metrics: [{ metric: { metric_type: 'null_percent' } }] });
  });

  it('is inconclusive if a capture fails or has an unknown status', async () => {
    const { fake, client } = setUp();
    const metric = await client.metrics.create(assetId, {
      metric_type: 'row_count',
      table_path: 'shop.sales.orders',
    });
    fake.setMetricValue(metric.id, { value: 1, is_anomaly: false, status: 'WARNING' });
    expect(await gate(client, assetId, { rules: false, metrics: true, throw: false })).toMatchObject({
      exitCode: 6,
    });
    fake.failNext({ on: 'POST *', status: 500 });
    expect(await gate(client, assetId, { rules: false, metrics: true, throw: false })).toMatchObject({
      exitCode: 6,
    });
  });
});

describe('time', () => {
  it.each(['timeout', 'signal'] as const)('ends at once by its %s, keeping what was found', async (how) => {
    const { fake, client } = setUp();
    for (const name of ['a', 'b', 'c']) await createRule(client, name);
    const controller = new AbortController();
    const checks: string[] = [];
    const hang = (): void => fake.failNext({ on: 'POST */check', delayMs: 60_000 });
    const limit = how === 'timeout' ? { timeout: 200 } : { signal: controller.signal };
    const verdict = await gate(client, assetId, {
      ...limit,
      concurrency: 1,
      throw: false,
      onProgress(event) {
        if (event.type !== 'rule') return;
        checks.push(event.check.outcome);
        if (checks.length > 1) return;
        hang();
        if (how === 'signal') setTimeout(() => controller.abort(new Error('enough')), 20);
      },
    });
    expect(verdict.checks.map(({ outcome }) => outcome)).toEqual(['passed', 'inconclusive', 'inconclusive']);
    expect(verdict).toMatchObject({ outcome: 'inconclusive', exitCode: 6 });
    expect(verdict.checks[2]?.reason).toMatch(how === 'timeout' ? /time ran out after 200 ms/ : /aborted/);
    expect(checks).toHaveLength(3);
  });

  it('is inconclusive if time runs out during the list or the wait for freshness', async () => {
    const { fake, client } = setUp();
    fake.setFreshness(assetId, { status: 'stale', data_age_minutes: 5 });
    const verdict = await gate(client, assetId, { timeout: 30, freshness: { waitMs: 60_000 }, throw: false });
    expect(verdict).toMatchObject({
      outcome: 'inconclusive',
      freshness: [{ reason: 'not done: time ran out after 30 ms' }],
      problems: [{ assetId }],
    });
  });

  it('begins nothing with a signal that has aborted', async () => {
    const { fake, client } = setUp();
    const verdict = await gate(client, assetId, { signal: AbortSignal.abort(), throw: false });
    expect(verdict.outcome).toBe('inconclusive');
    expect(fake.requests).toEqual([]);
  });
});

describe('progress', () => {
  it('reports what starts and what has ended', async () => {
    const { fake, client } = setUp();
    await createRule(client, 'a');
    await createRule(client, 'b');
    fake.setFreshness(assetId, { status: 'fresh' });
    const events: GateEvent[] = [];
    await gate(client, assetId, { freshness: true, onProgress: (event) => events.push(event) });
    expect(events.map(({ type }) => type)).toEqual(['started', 'freshness', 'started', 'rule', 'rule']);
    expect(events.at(-1)).toMatchObject({ done: 3, total: 3 });
  });

  it('hands on what the listener throws', async () => {
    const { client } = setUp();
    await createRule(client, 'a');
    const listening = gate(client, assetId, {
      throw: false,
      onProgress() {
        throw new Error('listener broke');
      },
    });
    await expect(listening).rejects.toThrow('listener broke');
  });
});

describe('options', () => {
  it.each([
    [{ failOn: 'fatal' as never }, 'failOn'],
    [{ concurrency: 0 }, 'concurrency'],
    [{ sampleLimit: -1 }, 'sampleLimit'],
    [{ timeout: 0 }, 'timeout'],
    [{ timeout: 2 ** 31 }, 'timeout'],
    [{ freshness: { maxAgeMinutes: Number.NaN } }, 'freshness.maxAgeMinutes'],
    [{ freshness: { maxAgeMinutes: 0 } }, 'freshness.maxAgeMinutes'],
    [{ freshness: { waitMs: -1 } }, 'freshness.waitMs'],
  ])('refuses %j before any request', async (options, name) => {
    const { fake, client } = setUp();
    const error = await gate(client, assetId, options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(String(error)).toContain(`${name} must`);
    expect(fake.requests).toEqual([]);
  });

  it('refuses an empty asset id', async () => {
    const { client } = setUp();
    await expect(gate(client, [assetId, ''])).rejects.toThrow(InvalidRequestError);
  });

  it.each([1, 3])('never has more than %i calls under way at once, over all assets', async (concurrency) => {
    const { fake, client } = setUp();
    for (let at = 0; at < 6; at++) {
      await createRule(client, `a ${at}`);
      await createRule(client, `b ${at}`, {}, otherAssetId);
    }
    let underWay = 0;
    let most = 0;
    const counting = client.withOptions({
      fetch: async (input, init) => {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => void setTimeout(resolve, 1));
        return await fake.fetch(input, init).finally(() => underWay--);
      },
    });
    await gate(counting, [assetId, otherAssetId], { concurrency });
    expect(most).toBeLessThanOrEqual(concurrency);
  });

  it('looks at an asset given twice once', async () => {
    const { client } = setUp();
    await createRule(client, 'a');
    expect((await gate(client, [assetId, assetId])).checks).toHaveLength(1);
  });
});
