import {
  formatPercent,
  renderAnnotations,
  renderHtml,
  renderJson,
  renderMarkdown,
  renderStepSummary,
  renderText,
  withSamples,
} from 'data-quality-client/gate';
import type { CapturedSnapshot, Freshness, Metric } from 'data-quality-client';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { everything, ruleCheck, verdictOf } from './verdicts.ts';

describe('formatPercent', () => {
  it.each([
    [0, '0.00 %'],
    [0.25, '0.25 %'],
    [0.004, '0.004 %'],
    [100 / 3_000_000, '0.00003 %'],
    [12.345, '12.35 %'],
    [99.999, '99.999 %'],
    [99.99999, '99.99999 %'],
    [100, '100.00 %'],
    [1e-300, '<0.000000000001 %'],
    [99.999_999_999_999_99, '>99.999999999999 %'],
  ])('writes %d as %s', (percent, text) => {
    expect(formatPercent(percent)).toBe(text);
  });

  it('never rounds something to zero, nor less than all to all', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (percent) => {
        const text = formatPercent(percent);
        expect(/^0\.0+ %$/.test(text)).toBe(percent === 0);
        expect(/^100\.0+ %$/.test(text)).toBe(percent === 100);
      }),
    );
  });
});

function samplesOf(mode: 'none' | 'masked' | 'full', value: unknown): unknown {
  const result = { id: 1, invalid_samples: { samples: [{ row_id: 3, value, row: { name: value } }] } };
  const verdict = withSamples(verdictOf({ checks: [ruleCheck('failed', { result })] }), mode);
  return verdict.checks[0]?.result?.invalid_samples;
}

describe('withSamples', () => {
  it.each([
    ['jane@example.com', 'xxxx@xxxxxxx.xxx'],
    ['2024-13-45', '9999-99-99'],
    [-12.5, '-99.9'],
    ['Zoë 日本', 'xxx xx'],
    [null, null],
    [true, '***'],
    ['a'.repeat(50), `${'x'.repeat(40)}…`],
  ])('masks %j as %j', (value, masked) => {
    expect(samplesOf('masked', value)).toEqual({ samples: [{ row_id: 3, value: masked, row: '***' }] });
  });

  it('leaves out or keeps them all', () => {
    expect(samplesOf('none', 'a')).toBeNull();
    expect(samplesOf('full', 'a')).toEqual({ samples: [{ row_id: 3, value: 'a', row: { name: 'a' } }] });
  });

  it('shows no letter or digit of a text, and leaves the verdict it was given as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (value) => {
        const { samples } = samplesOf('masked', value) as { samples: { value: string }[] };
        expect(samples[0]?.value.replaceAll(/[x9*…\s\p{P}\p{S}]/gu, '')).toBe('');
      }),
    );
    const before = everything();
    withSamples(before, 'none');
    expect(before).toEqual(everything());
  });
});

describe('renderText', () => {
  it.each([
    [[1, 2, 3], '1, 2, 3'],
    [[1, 2, 3, 4], '4 groups'],
    [[null], 'no value'],
  ])('shows the values %j of a metric as %j', (values, shown) => {
    const metric = { id: 'm_1', metric_type: 'row_count', table_path: 'shop.sales.orders' } as Metric;
    const snapshots = values.map((value) => ({ value }) as CapturedSnapshot);
    const text = renderText(verdictOf({ metrics: [{ assetId: 'a', metric, outcome: 'passed', snapshots }] }));
    expect(text).toMatch(new RegExp(`row_count +${shown}\\n`));
  });

  it('shows a table whose path is blank as unknown', () => {
    const text = renderText(verdictOf({ checks: [ruleCheck('failed', { rule: { table_path: ' ' } })] }));
    expect(text).toContain('critical  unknown table.amount  RANGE amount');
  });

  it('shows a rule without a name by its type', () => {
    const text = renderText(verdictOf({ checks: [ruleCheck('failed', { name: '' })] }));
    expect(text).toContain('shop.sales.orders.amount  RANGE  it failed\n');
  });

  it('lays out what closes the gate first, samples below', () => {
    expect(renderText(everything())).toMatchInlineSnapshot(`
      "failed        critical  shop.sales.orders.amount              RANGE bad     2 of 10,000 rows are invalid (0.02 %)
          row 3: "jane@example.com"
          row 9: null
      failed                  shop.sales                            freshness     the data is stale
      inconclusive  critical  shop.sales.orders.amount              RANGE broken  it inconclusive
      inconclusive            5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01  gate          the metrics could not be listed
      tolerated     critical  shop.sales.orders.amount              RANGE minor   it tolerated
      passed        critical  shop.sales.orders.amount              RANGE fine
      passed                  shop.sales.orders                     row_count     12,345
      skipped       critical  shop.sales.orders.amount              RANGE off     it skipped

      Gate failed: 2 failed, 2 inconclusive, 1 tolerated, 2 passed, 1 skipped
      "
    `);
  });

  it('paints outcomes, keeps columns straight and control characters out', () => {
    const checks = [ruleCheck('failed', { name: '日本' }), ruleCheck('failed', { name: 'a\u001b[2J\nb' })];
    const text = renderText(verdictOf({ checks }), (outcome, word) => `<${outcome}>${word}</>`);
    expect(text).toBe(
      [
        '<failed>failed</>  critical  shop.sales.orders.amount  RANGE 日本     it failed',
        '<failed>failed</>  critical  shop.sales.orders.amount  RANGE a\u{fffd}[2J b  it failed',
        '',
        '<failed>Gate failed: 2 failed</>',
        '',
      ].join('\n'),
    );
  });
});

describe('renderJson', () => {
  it('is the verdict, with errors that can be read', () => {
    const parsed: unknown = JSON.parse(renderJson(everything()));
    expect(parsed).toMatchObject({
      outcome: 'failed',
      exitCode: 1,
      checks: [
        {},
        { result: { invalid_percent: 0.02 } },
        { error: { name: 'Error', message: 'no such column' } },
        {},
        {},
      ],
    });
  });
});

describe('GitHub', () => {
  it('annotates what did not pass, the most severe first', () => {
    expect(renderAnnotations(everything())).toMatchInlineSnapshot(`
      "::error title=Data quality failed%3A RANGE bad::shop.sales.orders.amount: 2 of 10,000 rows are invalid (0.02 %25)
      ::error title=Data quality failed%3A freshness::shop.sales: the data is stale
      ::error title=Data quality inconclusive%3A RANGE broken::shop.sales.orders.amount: it inconclusive
      ::error title=Data quality inconclusive%3A gate::5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01: the metrics could not be listed
      ::warning title=Data quality tolerated%3A RANGE minor::shop.sales.orders.amount: it tolerated
      "
    `);
    expect(renderAnnotations(verdictOf({ checks: [ruleCheck('passed')] }))).toBe('');
  });

  it('writes all of ten annotations, and of more counts those that GitHub would drop', () => {
    const failed = Array.from({ length: 30 }, (_, at) => ruleCheck('failed', { name: `r${at}` }));
    const linesOf = (checks: typeof failed): string[] =>
      renderAnnotations(verdictOf({ checks })).trimEnd().split('\n');
    expect(linesOf(failed.slice(0, 10)).filter((line) => line.includes('RANGE r'))).toHaveLength(10);
    const lines = linesOf(failed);
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toBe('::error title=Data quality::and 21 more, see the step summary');
    const tolerated = Array.from({ length: 11 }, () => ruleCheck('tolerated'));
    expect(linesOf(tolerated).at(-1)).toBe('::warning title=Data quality::and 2 more, see the step summary');
  });

  it('writes one well-formed command a line, whatever the service has stored', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, reason) => {
        const text = renderAnnotations(verdictOf({ checks: [ruleCheck('failed', { name, reason })] }));
        expect(text).toMatch(/^::error title=[^\n\r:,]*::[^\n\r]*\n$/);
        const message = /::([^:]*(?::(?!:).*)?)\n$/.exec(text.replace(/^::error title=[^:]*/, ''))?.[1] ?? '';
        expect(message.replaceAll('%0A', '\n').replaceAll('%0D', '\r').replaceAll('%25', '%')).toBe(
          (reason === '' ? 'shop.sales.orders.amount' : `shop.sales.orders.amount: ${reason}`).replaceAll(
            /(?![\r\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
            '\u{fffd}',
          ),
        );
      }),
    );
  });

  it('cuts a summary that GitHub would refuse', () => {
    const checks = Array.from({ length: 8000 }, (_, at) =>
      ruleCheck('failed', { name: `é${at}`, reason: 'x'.repeat(90) }),
    );
    const summary = renderStepSummary(verdictOf({ checks }));
    expect(new TextEncoder().encode(summary).length).toBeLessThan(1024 * 1024);
    expect(summary).toMatch(/\n\nThe rest is left out: GitHub shows no more\.\n$/);
    expect(renderStepSummary(everything())).toBe(renderMarkdown(everything()));
  });
});

describe('renderMarkdown', () => {
  it('shows what closes the gate, and folds the rest away', () => {
    expect(renderMarkdown(everything())).toMatchInlineSnapshot(`
      "## ❌ Gate failed: 2 failed, 2 inconclusive, 1 tolerated, 2 passed, 1 skipped

      | Outcome | Severity | Where | What | Found |
      | --- | --- | --- | --- | --- |
      | ❌ failed | critical | shop.sales.orders.amount | RANGE bad | 2 of 10,000 rows are invalid (0.02 %) |
      | ❌ failed |  | shop.sales | freshness | the data is stale |
      | ❓ inconclusive | critical | shop.sales.orders.amount | RANGE broken | it inconclusive |
      | ❓ inconclusive |  | 5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01 | gate | the metrics could not be listed |
      | ⚠️ tolerated | critical | shop.sales.orders.amount | RANGE minor | it tolerated |

      <details><summary>2 samples of shop.sales.orders.amount, RANGE bad</summary>

      - row 3: &quot;jane&#64;example.com&quot;
      - row 9: null

      </details>

      <details><summary>3 passed or skipped</summary>

      | Outcome | Severity | Where | What | Found |
      | --- | --- | --- | --- | --- |
      | ✅ passed | critical | shop.sales.orders.amount | RANGE fine |  |
      | ✅ passed |  | shop.sales.orders | row\\_count | 12,345 |
      | ⏭️ skipped | critical | shop.sales.orders.amount | RANGE off | it skipped |

      </details>
      "
    `);
  });

  it('lets nothing of the service be markup, a cell or a mention', () => {
    const name = 'a | b <img src=x> @someone [x](javascript:1) `c`\n# d';
    const markdown = renderMarkdown(verdictOf({ checks: [ruleCheck('failed', { name })] }));
    expect(markdown).not.toMatch(/<img|@someone|\[x\]\(/);
    const row = markdown.split('\n').find((line) => line.includes('RANGE'));
    expect(row?.replaceAll('\\|', '').split('|')).toHaveLength(7);
  });
});

describe('renderHtml', () => {
  it('is one page that loads nothing and lets nothing of the service be markup', () => {
    const name = '<script>alert(1)</script>" onload="x';
    const html = renderHtml(verdictOf({ ...everything(), checks: [ruleCheck('failed', { name })] }));
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&quot;x');
    expect(html).not.toMatch(/\s(?:src|href)=|url\(|@import/);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
  });
});

it('shows the age of fresh data', () => {
  const freshness = { asset: 'shop.sales', status: 'fresh', data_age_minutes: 1234 } as Freshness;
  const verdict = verdictOf({ freshness: [{ assetId: 'a', outcome: 'passed', freshness }] });
  expect(renderText(verdict)).toContain('shop.sales  freshness  1,234 minutes old');
  const ageless = { asset: 'shop.sales', status: 'fresh' } as Freshness;
  expect(
    renderText(verdictOf({ freshness: [{ assetId: 'a', outcome: 'passed', freshness: ageless }] })),
  ).toContain('shop.sales  freshness  fresh');
});
