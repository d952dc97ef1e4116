import { readFile } from 'node:fs/promises';

import type { Metric } from 'data-quality-client';
import { renderJUnit, type Verdict } from 'data-quality-client/gate';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';

import { assetId, everything, ruleCheck, verdictOf } from './verdicts.ts';

const schema = await readFile(new URL('junit.xsd', import.meta.url), 'utf8');

async function expectValid(verdict: Verdict): Promise<void> {
  const { errors } = await validateXML({ xml: renderJUnit(verdict), schema });
  expect(errors).toEqual([]);
}

describe('renderJUnit', () => {
  it('fits the schema, with one case a check', async () => {
    await expectValid(everything());
    expect(renderJUnit(everything())).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites>
        <testsuite id="0" name="5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01" package="data-quality" hostname="localhost" timestamp="2026-01-02T03:04:05" tests="8" failures="2" errors="2" skipped="1" time="1.500">
          <properties/>
          <testcase classname="gate" name="selection" time="0.000"><error type="inconclusive" message="the metrics could not be listed">the metrics could not be listed</error></testcase>
          <testcase classname="freshness" name="freshness" time="0.000"><failure type="stale" message="the data is stale">the data is stale</failure></testcase>
          <testcase classname="shop.sales.orders" name="amount RANGE fine" time="0.000"/>
          <testcase classname="shop.sales.orders" name="amount RANGE bad" time="1.500"><failure type="critical" message="2 of 10,000 rows are invalid (0.02 %)">2 of 10,000 rows are invalid (0.02 %)
      row 3: &quot;jane@example.com&quot;
      row 9: null</failure></testcase>
          <testcase classname="shop.sales.orders" name="amount RANGE broken" time="0.000"><error type="Error" message="it inconclusive">it inconclusive</error></testcase>
          <testcase classname="shop.sales.orders" name="amount RANGE minor" time="0.000"/>
          <testcase classname="shop.sales.orders" name="amount RANGE off" time="0.000"><skipped/></testcase>
          <testcase classname="shop.sales.orders" name="row_count" time="0.000"/>
          <system-out>tolerated: shop.sales.orders amount RANGE minor: it tolerated</system-out>
          <system-err/>
        </testsuite>
      </testsuites>
      "
    `);
  });

  it('keeps line breaks, which a parser would take for spaces in an attribute', () => {
    const xml = renderJUnit(verdictOf({ checks: [ruleCheck('failed', { reason: 'a\nb' })] }));
    expect(xml).toContain('message="a&#10;b">a\nb</failure>');
  });

  it('names a case by what a rule has of column, type and name, below the table if its path is not blank', () => {
    const rule = { table_path: ' ', column_name: null };
    const [, classname, name] =
      /<testcase classname="([^"]*)" name="([^"]*)"/.exec(
        renderJUnit(verdictOf({ checks: [ruleCheck('failed', { name: 'odd ', rule })] })),
      ) ?? [];
    expect([classname, name]).toEqual(['unknown table', 'RANGE odd']);
  });

  it('calls a check a failure of its severity only if it failed', () => {
    const checks = (['failed', 'inconclusive'] as const).map((outcome) => ruleCheck(outcome));
    const xml = renderJUnit(
      verdictOf({ checks, freshness: [{ assetId, outcome: 'inconclusive', reason: 'x' }] }),
    );
    expect(
      Array.from(xml.matchAll(/<(error|failure) type="([^"]*)"/g), ([, kind, type]) => [kind, type]),
    ).toEqual([
      ['error', 'inconclusive'],
      ['failure', 'critical'],
      ['error', 'inconclusive'],
    ]);
  });

  it('gives each rule a case of its own, of whatever name', () => {
    const twice = ['v_1', 'v_2'].map((uuid) => ruleCheck('failed', { rule: { uuid } }));
    const names = Array.from(
      renderJUnit(verdictOf({ checks: twice })).matchAll(/<testcase .*? name="([^"]*)"/g),
    );
    expect(new Set(names.map(([, name]) => name)).size).toBe(2);
  });

  it('counts skipped, failures and errors apart', () => {
    expect(renderJUnit(everything())).toContain('tests="8" failures="2" errors="2" skipped="1" time="1.500"');
  });
});

it('calls only a failed metric an anomaly', () => {
  const metric = { id: 'm_1', metric_type: 'row_count', table_path: 'shop.sales.orders' } as Metric;
  const metrics = (['failed', 'inconclusive'] as const).map((outcome) => ({
    assetId: 'a',
    metric,
    outcome,
    reason: outcome,
  }));
  const xml = renderJUnit(verdictOf({ metrics }));
  expect(xml).toContain('<failure type="anomaly" message="failed">');
  expect(xml).toContain('<error type="inconclusive" message="inconclusive">');
});
