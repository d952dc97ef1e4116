import type { InvalidSample } from '../index.ts';
import { asRecord } from '../judgement/field.ts';
import { groupOf } from './metric-group.ts';
import type { AssetReport, Report, ReportedMetric, ReportedRule } from './report.ts';

/** What replaces a masked value. */
const mask = '•••';

/** Returns the report with the values of these columns masked: in samples, in whole rows and in names of groups. */
export function maskColumns(report: Report, columns: readonly string[]): Report {
  if (columns.length === 0) return report;
  return { ...report, assets: report.assets.map((asset) => maskAsset(asset, columns)) };
}

/** Those of the columns that nothing in the report has: a typing error would show what was to be masked. */
export function unknownColumns(report: Report, columns: readonly string[]): readonly string[] {
  const known = report.assets.flatMap(({ rules, metrics }) => [
    ...rules.flatMap(({ rule, samples }) => [
      rule.column_name,
      ...samples.flatMap((sample) =>
        Object.values(asRecord(sample)).flatMap((part) => Object.keys(asRecord(part))),
      ),
    ]),
    ...metrics.flatMap(({ metric, series }) => [
      metric.column_name,
      ...series.flatMap(({ snapshots }) => Object.keys(asRecord(snapshots[0]?.group_values))),
    ]),
  ]);
  const names = new Set(known.map(normalizeColumn));
  return columns.filter((column) => !names.has(normalizeColumn(column)));
}

function maskAsset(asset: AssetReport, columns: readonly string[]): AssetReport {
  const masked = new Set(columns.map(normalizeColumn));
  const isMasked = (column: unknown): boolean => masked.has(normalizeColumn(column));
  return {
    ...asset,
    rules: asset.rules.map((reported) => maskRule(reported, isMasked)),
    metrics: asset.metrics.map((reported) => maskMetric(reported, isMasked)),
  };
}

function normalizeColumn(column: unknown): string {
  return typeof column === 'string' ? column.trim().toLowerCase() : '';
}

type IsMasked = (column: unknown) => boolean;

function maskRule(reported: ReportedRule, isMasked: IsMasked): ReportedRule {
  const { column_name: column } = reported.rule;
  // A value that belongs to no known column could be of a masked one.
  const hidesValue = isMasked(column) || column === null || column === undefined;
  return {
    ...reported,
    samples: reported.samples.map((sample) => {
      const { row_id, value, ...rest } = asRecord(sample);
      return {
        row_id,
        value: isRecord(value) && !isMasked(column) ? maskFields(value, isMasked) : hidesValue ? mask : value,
        ...Object.fromEntries(
          Object.entries(rest).map(([key, part]) => [
            key,
            isRecord(part) ? maskFields(part, isMasked) : part,
          ]),
        ),
      } as InvalidSample;
    }),
  };
}

function maskMetric(reported: ReportedMetric, isMasked: IsMasked): ReportedMetric {
  const series = reported.series.map(({ group, snapshots }) => {
    const masked = snapshots.map((snapshot) =>
      isRecord(snapshot.group_values)
        ? { ...snapshot, group_values: maskFields(snapshot.group_values, isMasked) }
        : snapshot,
    );
    const [first] = masked;
    return { group: first === undefined ? group : groupOf(first), snapshots: masked };
  });
  return { ...reported, series };
}

function maskFields(
  fields: Readonly<Record<string, unknown>>,
  isMasked: IsMasked,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([column, value]) => [column, isMasked(column) ? mask : value]),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
