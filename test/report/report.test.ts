import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createHash } from 'node:crypto';

import { DataQualityClient, type Freshness, isApiError } from 'data-quality-client';
import { describe, expect, test, vi } from 'vitest';

import { collectReport } from '../../src/report/collect.ts';
import { maskColumns, unknownColumns } from '../../src/report/mask.ts';
import { thin } from '../../src/report/points.ts';
import { renderReport } from '../../src/report/render.ts';
import type { AssetReport, Report, ReportedMetric, ReportedRule } from '../../src/report/report.ts';
import { createAxis, formatTicks } from '../../src/report/scale.ts';
import { parseTimestamp } from '../../src/report/time.ts';
import { compactNumber } from '../../src/report/format.ts';
import { dq, emptyFolder } from '../support/dq.ts';
import { largeReport } from './large-report.ts';
import { assetId, otherAssetId, serveFake } from '../support/served-fake.ts';

const mebibyte = 1024 * 1024;

const hash = (text: string): string => createHash('sha256').update(text).digest('base64');

/** A report of one asset without rules and metrics, but for these parts. */
function reportOf(parts: Partial<AssetReport>): Report {
  const report = largeReport({ rules: 0, metrics: 0 });
  const [asset] = report.assets;
  if (asset === undefined) throw new Error('the report has an asset');
  return { ...report, assets: [{ ...asset, ...parts }] };
}

describe('the page', () => {
  const page = renderReport(largeReport());

  test('of 240 rules and 100 metrics over a year is at most 1 MB', () => {
    expect(Buffer.byteLength(page)).toBeLessThan(1_000_000);
    const yearOfChecks = renderReport(largeReport({ rules: 200, results: 365 }));
    expect(Buffer.byteLength(yearOfChecks)).toBeLessThan(mebibyte);
  });

  test('is one file that loads nothing and runs its own script alone', () => {
    expect(page).not.toMatch(/<(?:link|img|iframe|object)\b|@import|url\(|(?:src|href)="(?!#)| style="/);
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? [];
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    expect(page).toContain(
      `content="default-src 'none'; script-src 'sha256-${hash(script)}'; style-src 'sha256-${hash(style)}'; `,
    );
  });

  test('says how many checks fail', () => {
    expect(page).toContain('<h1 class="failed">7 of 326 checks fail</h1>');
    const counts = { passed: 27, failed: 0, tolerated: 0, inconclusive: 1, skipped: 3 };
    const unclear = { ...largeReport({ rules: 0, metrics: 0 }), counts, outcome: 'inconclusive' as const };
    expect(renderReport(unclear)).toContain('1 of 28 checks is unclear');
    expect(renderReport({ ...unclear, counts: { ...counts, inconclusive: 0 } })).toContain(
      'All 27 checks pass',
    );
  });

  test('takes the title it is given, or the names of the assets', () => {
    const report = largeReport({ rules: 1, metrics: 0 });
    expect(page).toContain('Data quality of warehouse.&#60;sales&#62; &#38; &#34;co&#34;');
    expect(renderReport({ ...report, title: 'Orders & co' })).toContain('<title>Orders &#38; co: ');
    const [asset] = report.assets;
    const twice = renderReport({
      ...report,
      assets: [asset, { ...asset, assetName: 'archive' }] as AssetReport[],
    });
    expect(twice).toContain(', archive</p>');
    expect(twice).toContain('<h3>archive</h3>');
  });

  test('names an asset without a name by what its tables have in common', () => {
    const { rules = [] } = largeReport({ rules: 3, metrics: 0 }).assets[0] ?? {};
    const nameless = { ...reportOf({}), assets: [{ assetId: 'a-1', rules, metrics: [] }] };
    expect(renderReport(nameless)).toContain('Data quality of warehouse.sales</p>');
    const empty = { ...nameless, assets: [{ assetId: 'a-1', rules: [], metrics: [] }] };
    expect(renderReport(empty)).toContain('Data quality of a-1</p>');
  });

  test('draws a value that has none beside it as a dot', () => {
    const rule = anyRule({});
    expect(renderRule({ ...rule, results: rule.results.slice(0, 1) })).toContain('class="dot lone l0"');
    expect(renderRule(rule)).not.toContain('class="dot lone');
  });

  test('never shows what is not 0 as 0 %', () => {
    const [asset] = largeReport({ rules: 1, metrics: 0 }).assets;
    const [rule] = asset?.rules ?? [];
    const few = { ...rule?.results[0], status: 'fail', invalid_count: 4, invalid_percent: 0.0004 };
    expect(renderRule({ ...rule, outcome: 'failed', results: [few] } as ReportedRule)).toContain(
      '4 of 1,000,000 rows are invalid (0.0004\u{a0}%)',
    );
  });

  test('gives each element an id of its own, and every link leads to one', () => {
    const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const links = new Set(Array.from(page.matchAll(/href="#([^"]+)"/g), ([, id]) => id));
    expect([...links].filter((link) => !ids.includes(link))).toEqual([]);
    expect(links.size).toBeGreaterThan(240);
  });

  test('reads a timestamp without a zone as UTC', () => {
    vi.stubEnv('TZ', 'America/New_York');
    expect(parseTimestamp('2026-03-01T10:00:00')).toBe(Date.UTC(2026, 2, 1, 10));
    expect(parseTimestamp('2026-03-01 10:00:00.5')).toBe(Date.UTC(2026, 2, 1, 10, 0, 0, 500));
    expect(parseTimestamp('2026-03-01T10:00:00+02:00')).toBe(Date.UTC(2026, 2, 1, 8));
    expect(parseTimestamp('soon')).toBeUndefined();
    vi.unstubAllEnvs();
  });
});

const renderRule = (rule: ReportedRule): string => renderReport(reportOf({ rules: [rule] }));

const anyRule = (changes: object, outcome: ReportedRule['outcome'] = 'passed'): ReportedRule => {
  const [rule] = largeReport({ rules: 1, metrics: 0 }).assets[0]?.rules ?? [];
  if (rule === undefined) throw new Error('the report has a rule');
  return { ...rule, outcome, rule: { ...rule.rule, ...changes } };
};

const results = (...statuses: string[]) =>
  statuses.map((status, at) => ({
    status,
    total_rows: 10,
    invalid_count: status === 'fail' ? 1 : 0,
    checked_at: `2026-01-0${9 - at}T00:00:00`,
  })) as unknown as ReportedRule['results'];

describe('a rule', () => {
  test.each([
    ['NOT_NULL', null, 'Every row must have a value.'],
    ['REGEX', { pattern: '^<a>$' }, 'must match <code>^&#60;a&#62;$</code>'],
    ['RANGE', { min: 0, max: 5 }, 'between <code>0</code> and <code>5</code>'],
    ['RANGE', { max: 5 }, 'at most <code>5</code>'],
    ['ENUM', { allowed_values: ['a', null, 2] }, '<code>a</code>, <code>null</code>, <code>2</code>'],
    ['DATE_FORMAT', { format: 'YYYY' }, 'in the format <code>YYYY</code>'],
    ['CUSTOM_SQL', { sql_expression: 'a < b' }, '<pre tabindex="0">a &#60; b</pre>'],
    ['REGEX', undefined, 'The service does not show it.'],
    ['NEW_TYPE', { limit: 3 }, '{&#34;limit&#34;:3}'],
  ])('of type %s with %j says what it demands', (rule_type, rule_config, demand) => {
    expect(renderRule(anyRule({ rule_type, rule_config }))).toContain(demand);
  });

  test('shows threshold, description and id', () => {
    const page = renderRule(anyRule({ alert_threshold_percent: 0.5, description: 'Why & how', uuid: 'v_1' }));
    expect(page).toContain('fails above 0.5 % invalid rows');
    expect(page).toContain('Why &#38; how');
    expect(page).toContain('<a href="#rule-v_1"><code>v_1</code></a>');
    expect(page).toContain('class="limit"');
  });

  test('shows whole rows, and how many were left out', () => {
    const rule = {
      ...anyRule({ column_name: 'email' }, 'failed'),
      results: [{ status: 'fail', invalid_count: 16, total_rows: 100, checked_at: '2026-01-01T00:00:00Z' }],
      samples: [{ row_id: 7, value: 'a', row: { id: 5, city: null } }],
    } as unknown as ReportedRule;
    const page = renderRule(rule);
    expect(page).toContain('1 of 16 invalid rows');
    expect(page).toContain('<th scope="col">city</th>');
    expect(page).toContain('<code>5</code>');
  });

  test('that fails for the first time is new, and one that passes again has recovered', () => {
    expect(renderRule({ ...anyRule({}, 'failed'), results: results('fail', 'pass') })).toContain('>new</em>');
    const old = renderRule({ ...anyRule({}, 'failed'), results: results('fail', 'fail', 'pass') });
    expect(old).not.toContain('>new</em>');
    expect(old).toContain('since 8 Jan 2026, 00:00');
    expect(old).toContain('<title>8 Jan 2026: 1 of 1 rule failed</title');
    expect(renderRule({ ...anyRule({}), results: results('pass', 'fail') })).toContain('1 recovered');
  });
});

describe('texts of a service', () => {
  const hostile = `"><img src=x onerror=alert(1)>'</script></style><a href="javascript:x">\0`;

  test('never become an element or an attribute, in whatever field they are', () => {
    const page = renderReport(withTexts(largeReport({ rules: 14, metrics: 10 }), hostile));
    expect(page).not.toMatch(/<img|onerror=alert\(1\)>|href="javascript|<a href="(?!#)/);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page.match(/<style/g)).toHaveLength(1);
    expect(page).toContain('&#60;img src=x onerror=alert(1)&#62;');
  });

  test('that are objects do not pass for markup', () => {
    const object = { markup: '<img src=x>', toString: null };
    expect(
      renderRule(anyRule({ name: object, description: object, rule_type: object, table_path: object })),
    ).not.toContain('<img');
  });
});

/** The report with a text in place of every one that a service may choose. */
function withTexts(report: Report, text: string): Report {
  const kept = new Set([
    'outcome',
    'status',
    'checked_at',
    'captured_at',
    'last_updated',
    'generatedAt',
    'rule_type',
    'from',
    'to',
    'id',
  ]);
  return JSON.parse(JSON.stringify(report), (key, value: unknown) =>
    typeof value === 'string' && !kept.has(key) ? `${text}${value}` : value,
  ) as Report;
}

describe('numbers', () => {
  test.each([
    [15e9, '15\u{a0}B'],
    [3_126_000, '3.126\u{a0}M'],
    [9999, '9,999'],
    [13.616134185303515, '13.616'],
    [-25_000, '-25\u{a0}K'],
    [0, '0'],
  ])('%d is short', (value, text) => {
    expect(compactNumber(value)).toBe(text);
  });

  test.each([
    [
      [15e9, 20e9],
      ['20\u{a0}B', '18\u{a0}B', '16\u{a0}B', '14\u{a0}B'],
    ],
    [
      [0, 0],
      ['1.0', '0.5', '0'],
    ],
    [
      [1200.1, 1200.3],
      ['1,200.3', '1,200.2', '1,200.1'],
    ],
    [
      [0.00001, 0.00002],
      ['2e-5', '1.5e-5', '1e-5'],
    ],
  ])('an axis over %j has ticks that differ', (values, labels) => {
    expect(formatTicks(createAxis(values))).toEqual(labels);
  });

  test('many points keep their extremes and every failure', () => {
    const points = Array.from({ length: 1000 }, (_, at) => ({
      at,
      value: at === 500 ? 99 : at % 7,
      outcome: at === 333 ? ('failed' as const) : ('passed' as const),
    }));
    const kept = thin(points, 50);
    expect(kept.length).toBeLessThan(60);
    expect(kept.map(({ at }) => at)).toEqual(expect.arrayContaining([0, 333, 500, 999]));
  });
});

const fresh = (reading: object): string =>
  renderReport(
    reportOf({ freshness: { outcome: 'failed', reading: reading as Freshness, reason: 'stale' } }),
  );

describe('freshness', () => {
  test('is one reading in one unit, not a line over time', () => {
    const page = fresh({ status: 'stale', data_age_minutes: 5_759_141, sla_threshold: '24h' });
    expect(page).toContain('3,999 d old');
    expect(page).toContain('1 d allowed');
    expect(page).toContain('3,999.4 times as long');
    expect(page).toContain('the service keeps no earlier ones');
    expect(page).not.toContain('data-p=');
  });

  test('of unknown age is not drawn', () => {
    expect(fresh({ status: 'unknown', sla_threshold: '24h' })).not.toContain('class="gauge"');
  });
});

const lineagePage = (names: readonly string[], edges: readonly (readonly [string, string])[]): string => {
  const lineage = {
    nodes: names.map((name) => ({ id: name, name, resource_type: 'model' })),
    edges: edges.map(([from, to]) => ({ from, to })),
  };
  return renderReport(
    reportOf({ rules: largeReport({ rules: 1, metrics: 0 }).assets[0]?.rules ?? [], lineage }),
  );
};

describe('lineage', () => {
  test('is drawn from left to right, with links to the tables that are checked and their status', () => {
    const drawn = lineagePage(['orders_0', 'raw', 'alone'], [['raw', 'orders_0']]);
    expect(drawn).toContain('aria-label="Picture of the lineage"');
    expect(drawn).toContain('2 of 3 tables drawn');
    expect(drawn).toMatch(/<a href="#table-warehouse.sales.orders_0">\s*<title>\s*orders_0: model, inactive/);
    expect(drawn).toMatch(/<b>orders_0<\/b> from raw/);
    expect(drawn).toContain('class="arrow"');
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
    expect(told).toContain(`0 of ${names.length} table`);
  });

  test('that is large is drawn around the tables that are checked', () => {
    const names = ['orders_0', ...Array.from({ length: 199 }, (_, at) => `n${at}`)];
    const told = lineagePage(
      names,
      names.slice(1).map((name, at) => [names[at] ?? '', name] as const),
    );
    expect(told).toContain('2 of 200 tables drawn');
  });
});

describe('a masked column', () => {
  const rule = {
    ...anyRule({ column_name: 'column_60' }, 'failed'),
    samples: [{ row_id: 1, value: 'secret-1', row: { Email: 'secret-2', id: 'shown-3' } }],
  } as unknown as ReportedRule;
  const { metrics = [] } = largeReport({ rules: 0, metrics: 10 }).assets[0] ?? {};
  const masked = (columns: readonly string[], changed = rule): string =>
    JSON.stringify(maskColumns(reportOf({ rules: [changed], metrics }), columns));

  test('shows no value of it in samples, whole rows and groups', () => {
    expect(masked(['email'])).toContain('secret-1');
    expect(masked(['email'])).not.toContain('secret-2');
    expect(masked(['column_60', 'EMAIL'])).not.toContain('secret');
    expect(masked(['column_60', 'email'])).toContain('shown-3');
  });

  test('hides a value of no known column, too', () => {
    expect(masked(['email'], { ...rule, rule: { ...rule.rule, column_name: null } })).not.toContain('secret');
  });

  test('that nothing has is found out', () => {
    const report = reportOf({ rules: [rule] });
    expect(unknownColumns(report, ['emial', 'email', 'ID', 'column_60'])).toEqual(['emial']);
  });

  test('of a group hides its name', () => {
    const grouped = {
      metric: { id: 'm_1' },
      outcome: 'passed',
      series: [{ group: 'email = secret', snapshots: [{ group_values: { email: 'secret' } }] }],
    };
    const report = reportOf({ metrics: [grouped as unknown as ReportedMetric] });
    expect(JSON.stringify(maskColumns(report, ['email']))).not.toContain('secret');
    expect(unknownColumns(report, ['email'])).toEqual([]);
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

    const report = await collectReport(client, [assetId]);
    expect(report).toMatchObject({
      outcome: 'failed',
      counts: { failed: 1, passed: 3, inconclusive: 1, tolerated: 0, skipped: 0 },
      assets: [{ freshness: { outcome: 'passed' } }],
    });
    const [asset] = report.assets;
    expect(asset?.rules.map(({ rule, outcome }) => [rule.uuid, outcome])).toEqual([
      [failing.uuid, 'failed'],
      [unchecked.uuid, 'inconclusive'],
      [passing.uuid, 'passed'],
    ]);
    expect(asset?.rules[0]?.results[0]).toMatchObject({ invalid_count: 25, invalid_percent: 0.25 });
    expect(asset?.metrics[0]?.series[0]?.snapshots.map(({ value }) => value)).toEqual([100, 101, 99]);
  });

  test('an asset without rules, metrics and freshness has an empty report', async () => {
    await using served = await serveFake();
    const report = await collectReport(served.client, [assetId]);
    expect(report).toMatchObject({ outcome: 'inconclusive', assets: [{ rules: [], metrics: [] }] });
    expect(report.assets[0]?.freshness).toBeUndefined();
    expect(renderReport(report)).toContain('Nothing was checked');
  });

  test('a history that can not be read costs that rule alone', async () => {
    await using served = await serveFake();
    await served.rule('id');
    served.fake.failNext({ on: 'GET *results*', body: 'not json' });
    const report = await collectReport(served.client, [assetId]);
    expect(report.assets[0]?.rules).toMatchObject([
      { outcome: 'inconclusive', results: [], reason: /promises/ },
    ]);
  });

  test('a key that is refused ends it', async () => {
    await using served = await serveFake();
    await served.rule('id');
    served.fake.failNext({ on: 'GET *results*', status: 401 });
    const refused = await collectReport(served.client, [assetId]).catch((error: unknown) => error);
    expect(isApiError(refused, 'UNAUTHORIZED')).toBe(true);
  });
});

describe('lineage of an asset', () => {
  const localPath = `/api/v1/local/assets/${assetId}/lineage`;
  const lineage = { nodes: [{ id: 'a', name: 'a' }, null, { name: 7 }], edges: [{ from: 'a', to: 'b' }] };

  /** Collects from a fake service that responds as the local one does, or not, and notes the paths of its requests. */
  async function collectFrom(headers: Record<string, string>, respond: () => Response) {
    await using served = await serveFake();
    const paths: string[] = [];
    const client = new DataQualityClient({
      baseUrl: served.fake.baseUrl,
      apiKey: served.fake.keys.readOnly,
      rateLimit: false,
      maxRetries: 0,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const { pathname } = new URL(request.url);
        paths.push(pathname);
        const response = pathname === localPath ? respond() : await served.fake.fetch(request);
        return new Response(response.body, {
          status: response.status,
          headers: { ...Object.fromEntries(response.headers), ...headers },
        });
      },
    });
    const report = await collectReport(client, [assetId]);
    return { paths, lineage: report.assets[0]?.lineage };
  }

  test('is never asked of a service that does not say it is the local one', async () => {
    const { paths } = await collectFrom({}, () => Response.json(lineage));
    expect(paths.filter((path) => path.includes('/local/'))).toEqual([]);
    expect(paths.length).toBeGreaterThan(2);
  });

  test('is read from the local service', async () => {
    const found = await collectFrom({ 'X-Data-Quality-Service': 'local' }, () => Response.json(lineage));
    expect(found.paths).toContain(localPath);
    expect(found.lineage?.nodes[0]).toMatchObject({ id: 'a', name: 'a' });
  });

  test.each([404, 500, 503])('that ends with %d does not end the report', async (status) => {
    const found = await collectFrom({ 'X-Data-Quality-Service': 'local' }, () =>
      Response.json({ message: 'no' }, { status }),
    );
    expect(found.paths).toContain(localPath);
    expect(found.lineage).toBeUndefined();
  });
});

describe('several assets', () => {
  test('are read at the same time, and each once', async () => {
    await using served = await serveFake();
    await served.rule('id');
    const report = await collectReport(served.client, [assetId, otherAssetId, assetId], { title: 'Both' });
    expect(report.title).toBe('Both');
    expect(report.assets.map((asset) => [asset.assetId, asset.rules.length])).toEqual([
      [assetId, 1],
      [otherAssetId, 0],
    ]);
  });

  test('never have more rules under way than allowed', async () => {
    await using served = await serveFake();
    for (let at = 0; at < 12; at++) await served.rule(`column_${at}`);
    let underWay = 0;
    let most = 0;
    const client = new DataQualityClient({
      baseUrl: served.fake.baseUrl,
      apiKey: served.fake.keys.readOnly,
      rateLimit: false,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const isRule = request.url.includes('/v_');
        if (isRule) most = Math.max(most, ++underWay);
        await setImmediate();
        if (isRule) underWay -= 1;
        return served.fake.fetch(request);
      },
    });
    const report = await collectReport(client, [assetId], { concurrency: 3 });
    expect(report.assets[0]?.rules).toHaveLength(12);
    // Each rule is two requests.
    expect(most).toBeGreaterThan(3);
    expect(most).toBeLessThanOrEqual(6);
  });
});

describe('dq report', () => {
  test('masks columns, and writes nothing if one of them is not there', async () => {
    await using served = await serveFake();
    const { uuid } = await served.rule('email');
    served.fake.setCheckResult(uuid, { total_rows: 4, samples: [{ row_id: 3, value: 'Ann-7' }] });
    const output = join(emptyFolder, 'masked.html');
    const flags = ['report', '--check', '--samples', 'full', '--output', output, '--title', 'Ours'];
    const wrong = await dq([...flags, '--mask', 'emial'], { env: served.env });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain(
      '--mask: no rule, metric or sample has a column "emial". Nothing was written.',
    );
    expect(existsSync(output)).toBe(false);
    const { code } = await dq([...flags, '--mask', 'email'], { env: served.env });
    expect(code).toBe(0);
    const page = readFileSync(output, 'utf8');
    expect(page).toContain('<title>Ours: 1 of 1 check fails</title>');
    expect(page).not.toContain('Ann-7');
    expect(page).toContain('•••');
  }, 30_000);

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
      assets: [{ rules: [{ results: [{ invalid_count: 1 }], samples: [{ row_id: 3, value: 'xxx-9' }] }] }],
    });
    expect(readFileSync(output, 'utf8')).toContain('<code>xxx-9</code>');
    const full = await dq(['report', '--check', '--json', '--samples', 'full'], { env });
    expect(full.stdout).toContain('Ann-7');
  });
});
