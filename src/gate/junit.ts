import { asRecord, displayText } from '../judgement/field.ts';
import { severityOf } from '../judgement/severity.ts';
import { readSamples } from './samples.ts';
import { describeSample } from './rows.ts';
import type { CheckOutcome } from '../judgement/outcome.ts';
import type { Verdict } from './verdict.ts';
import { escapeMarkup } from './markup.ts';

/** A test case of the report. */
interface Case {
  readonly suite: string;
  readonly className: string;
  readonly name: string;
  /** Distinguishes cases of the same name. */
  readonly id: string;
  readonly outcome: CheckOutcome;
  readonly reason: string;
  /** The type of a failure or an error. */
  readonly type: string;
  readonly samples: readonly string[];
  readonly milliseconds: number;
}

/**
 * Renders the verdict as JUnit XML: one suite per asset; one test case per rule, metric or freshness check. Inactive
 * rules and metrics are skipped, bad data is a failure, and inconclusive checks are errors. A failure that `failOn`
 * tolerates passes, with a line in the output of its suite.
 */
export function renderJUnit(verdict: Verdict): string {
  const suites = Map.groupBy(toCases(verdict), ({ suite }) => suite);
  const rendered = [...suites].map(([name, cases], at) => renderSuite(name, at, cases, verdict.startedAt));
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...rendered, '</testsuites>', ''].join(
    '\n',
  );
}

function toCases({ problems, freshness, checks, metrics }: Verdict): Case[] {
  const base = { samples: [], milliseconds: 0 };
  return distinct([
    ...problems.map(({ assetId = 'gate', reason, error }, at) => ({
      ...base,
      suite: assetId,
      className: 'gate',
      name: 'selection',
      id: String(at + 1),
      outcome: 'inconclusive' as const,
      reason,
      type: errorType(error),
    })),
    ...freshness.map(({ assetId, table_path, outcome, reason = '', error }) => ({
      ...base,
      suite: assetId,
      className: table_path ?? 'freshness',
      name: 'freshness',
      id: assetId,
      outcome,
      reason,
      type: outcome === 'failed' ? 'stale' : errorType(error),
    })),
    ...checks.map(({ assetId, rule, result, outcome, reason = '', error }) => ({
      suite: assetId,
      className: tableOf(rule),
      name: caseName(rule, ['column_name', 'rule_type', 'name']) || 'rule',
      id: displayText(rule.uuid),
      outcome,
      reason,
      type: outcome === 'failed' ? severityOf(rule.severity) : errorType(error),
      samples: readSamples(result).map(describeSample),
      milliseconds: durationOf(result),
    })),
    ...metrics.map(({ assetId, metric, outcome, reason = '', error }) => ({
      ...base,
      suite: assetId,
      className: tableOf(metric),
      name: caseName(metric, ['column_name', 'metric_type']) || 'metric',
      id: displayText(metric.id),
      outcome,
      reason,
      type: outcome === 'failed' ? 'anomaly' : errorType(error),
    })),
  ]);
}

function tableOf(ruleOrMetric: unknown): string {
  return displayText(asRecord(ruleOrMetric)['table_path']).trim() || 'unknown table';
}

function caseName(ruleOrMetric: unknown, fields: readonly string[]): string {
  const record = asRecord(ruleOrMetric);
  return fields
    .map((field) => displayText(record[field]))
    .filter(Boolean)
    .join(' ')
    .trim();
}

function durationOf(result: unknown): number {
  const { execution_duration_ms: duration } = asRecord(result);
  return typeof duration === 'number' ? duration : 0;
}

function errorType(error: unknown): string {
  return error instanceof Error ? error.name : 'inconclusive';
}

/** Viewers merge cases of the same name, which would hide a rule. */
function distinct(cases: readonly Case[]): Case[] {
  const groups = Map.groupBy(cases, ({ suite, className, name }) => JSON.stringify([suite, className, name]));
  return [...groups.values()].flatMap((group) =>
    group.length === 1 ? group : group.map((one) => ({ ...one, name: `${one.name} ${one.id}` })),
  );
}

function renderSuite(name: string, at: number, cases: readonly Case[], startedAt: string): string {
  const count = (wanted: CheckOutcome): number => cases.filter(({ outcome }) => outcome === wanted).length;
  const attributes = renderAttributes({
    id: at,
    name,
    package: 'data-quality',
    // The schema requires a host, and a time without a zone.
    hostname: 'localhost',
    timestamp: startedAt.slice(0, 19),
    tests: cases.length,
    failures: count('failed'),
    errors: count('inconclusive'),
    skipped: count('skipped'),
    time: seconds(cases.reduce((sum, { milliseconds }) => sum + milliseconds, 0)),
  });
  const tolerated = cases.filter(({ outcome }) => outcome === 'tolerated');
  const output = tolerated.map((one) => `tolerated: ${one.className} ${one.name}: ${one.reason}`).join('\n');
  return [
    `  <testsuite${attributes}>`,
    '    <properties/>',
    ...cases.map(renderCase),
    `    <system-out>${escapeMarkup(output)}</system-out>`,
    '    <system-err/>',
    '  </testsuite>',
  ].join('\n');
}

function renderCase({ className, name, milliseconds, outcome, reason, type, samples }: Case): string {
  const open = `    <testcase${renderAttributes({ classname: className, name, time: seconds(milliseconds) })}`;
  if (outcome === 'passed' || outcome === 'tolerated') return `${open}/>`;
  if (outcome === 'skipped') return `${open}><skipped/></testcase>`;
  const element = outcome === 'failed' ? 'failure' : 'error';
  const text = [reason, ...samples].map(escapeMarkup).join('\n');
  return `${open}><${element}${renderAttributes({ type, message: reason })}>${text}</${element}></testcase>`;
}

function renderAttributes(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeMarkup(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
