import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { isApiError } from 'data-quality-client';
import { describe, expect, test } from 'vitest';

import { collectReport } from '../../src/report/collect.ts';
import { renderReport } from '../../src/report/render.ts';
import { dq, emptyFolder } from '../support/dq.ts';
import { largeReport } from './large-report.ts';
import { assetId, serveFake } from '../support/served-fake.ts';

const mebibyte = 1024 * 1024;

describe('the page', () => {
  const page = renderReport(largeReport());

  test('of 200 rules and 100 metrics over a year is at most 1 MB', () => {
    expect(Buffer.byteLength(page)).toBeLessThan(1_000_000);
    expect(Buffer.byteLength(renderReport(largeReport(365)))).toBeLessThan(mebibyte);
  });

  test('is one file that loads nothing', () => {
    expect(page).not.toMatch(/<(?:script|link|img|iframe|object)\b|@import|url\((?!#)|(?:src|href)="(?!#)/);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  test('shows text as text', () => {
    expect(page).toContain('warehouse.&lt;sales&gt; &amp; &quot;co&quot;');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('never shows what is not 0 as 0 %', () => {
    expect(page).toContain('4 of 1,000,000 rows invalid (0.0004 %)');
  });

  test('gives each chart ids of its own', () => {
    const ids = page.match(/ id="[^"]+"/g) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('marks anomalies and shows their z-score', () => {
    expect(page).toContain('fill="var(--bad)"');
    expect(page).toContain('<td>4.25</td>');
  });
});

const lineagePage = (names: readonly string[], edges: readonly (readonly [string, string])[]): string =>
  renderReport({
    ...largeReport(1),
    rules: [],
    metrics: [],
    lineage: {
      nodes: names.map((name) => ({ id: name, name, resource_type: 'model' })),
      edges: edges.map(([from, to]) => ({ from, to })),
    },
  });

describe('lineage', () => {
  test('is drawn, with what it is made from before it', () => {
    const drawn = lineagePage(['orders', 'raw'], [['raw', 'orders']]);
    expect(drawn).toContain('aria-label="Picture of the lineage"');
    expect(drawn).toContain('<strong>orders</strong> from raw');
  });

  test.each([
    {
      why: 'goes in a circle',
      names: ['a', 'b'],
      edges: [
        ['a', 'b'],
        ['b', 'a'],
      ] as const,
    },
    { why: 'has no edge', names: ['a'], edges: [] },
    { why: 'leads to nothing known', names: ['a'], edges: [['a', 'z']] as const },
    {
      why: 'is too large',
      names: Array.from({ length: 200 }, (_, at) => `n${at}`),
      edges: Array.from({ length: 199 }, (_, at) => [`n${at}`, `n${at + 1}`] as const),
    },
  ])('that $why is described in words alone', ({ names, edges }) => {
    const told = lineagePage(names, edges);
    expect(told).not.toContain('Picture of the lineage');
    expect(told).toContain(`${names.length} node`);
  });
});

describe('what it is made of', () => {
  test('an asset with everything', async () => {
    await using served = await serveFake();
    const { client, fake } = served;
    const failing = await served.rule('amount');
    const passing = await served.rule('id');
    const unchecked = await served.rule('email');
    fake.setCheckResult(failing.uuid, { total_rows: 10_000, invalid_count: 25 });
    await client.validity.check(assetId, passing.uuid);
    await client.validity.check(assetId, failing.uuid);
    const metric = await served.metric();
    for (const value of [100, 101, 99]) {
      fake.setMetricValue(metric.id, value);
      await client.metrics.capture(assetId, metric.id);
    }
    fake.setFreshness(assetId, { status: 'fresh' });

    const report = await collectReport(client, assetId);
    expect(report).toMatchObject({
      outcome: 'failed',
      counts: { failed: 1, passed: 3, inconclusive: 1, tolerated: 0, skipped: 0 },
      freshness: { outcome: 'passed' },
    });
    expect(report.rules.map(({ rule, outcome }) => [rule.uuid, outcome])).toEqual([
      [failing.uuid, 'failed'],
      [unchecked.uuid, 'inconclusive'],
      [passing.uuid, 'passed'],
    ]);
    expect(report.rules[0]?.results[0]).toMatchObject({ invalid_count: 25, invalid_percent: 0.25 });
    expect(report.metrics[0]?.series[0]?.snapshots.map(({ value }) => value)).toEqual([100, 101, 99]);
  });

  test('an asset without rules, metrics and freshness has an empty report', async () => {
    await using served = await serveFake();
    const report = await collectReport(served.client, assetId);
    expect(report).toMatchObject({ outcome: 'inconclusive', rules: [], metrics: [] });
    expect(report.freshness).toBeUndefined();
    expect(renderReport(report)).toContain('No verdict');
  });

  test('a history that can not be read costs that rule alone', async () => {
    await using served = await serveFake();
    await served.rule('id');
    served.fake.failNext({ on: 'GET *results*', body: 'not json' });
    const report = await collectReport(served.client, assetId);
    expect(report.rules).toMatchObject([{ outcome: 'inconclusive', results: [], reason: /promises/ }]);
  });

  test('a key that is refused ends it', async () => {
    await using served = await serveFake();
    await served.rule('id');
    served.fake.failNext({ on: 'GET *results*', status: 401 });
    const refused = await collectReport(served.client, assetId).catch((error: unknown) => error);
    expect(isApiError(refused, 'UNAUTHORIZED')).toBe(true);
  });
});

describe('dq report', () => {
  test('reads only, and prints the path of the page', async () => {
    await using served = await serveFake();
    await served.rule('id');
    const { code, stderr, stdout } = await dq(['report'], {
      env: { ...served.env, DATA_QUALITY_API_KEY: served.fake.keys.readOnly },
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain(`Report: ${join(emptyFolder, 'report.html')}`);
    expect(readFileSync(join(emptyFolder, 'report.html'), 'utf8')).toContain('never checked');
  });

  test('checks first if asked, masks samples under CI, and prints the same figures as JSON', async () => {
    await using served = await serveFake();
    const { uuid } = await served.rule('email');
    served.fake.setCheckResult(uuid, { total_rows: 4, samples: [{ row_id: 3, value: 'Ann-7' }] });
    const env = { ...served.env, CI: 'true' };
    const output = join(emptyFolder, 'checked.html');
    const { stdout } = await dq(['report', '--check', '--json', '--output', output], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'failed',
      rules: [{ results: [{ invalid_count: 1 }], samples: [{ row_id: 3, value: 'xxx-9' }] }],
    });
    expect(readFileSync(output, 'utf8')).toContain('&quot;xxx-9&quot;');
    const full = await dq(['report', '--check', '--json', '--samples', 'full'], { env });
    expect(full.stdout).toContain('Ann-7');
  });
});
