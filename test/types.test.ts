// Held by the type checker; what stands here runs only so far that it can be called a test.
import { describe, expectTypeOf, test } from 'vitest';

import {
  type ApiPromise,
  type SettledCheck,
  type CreateMetric,
  type CreateValidityRule,
  type DataQualityClient,
  type Deletion,
  type Freshness,
  isApiError,
  isDataQualityError,
  type Metric,
  type MetricCapture,
  type MetricDetail,
  type MetricSnapshot,
  type Page,
  type PagePromise,
  type ResponseMeta,
  type RuleNotFoundError,
  type ValidityCheck,
  type ValidityCheckResult,
  type ValidityRule,
  type ValidityRuleDetail,
  type ValiditySummary,
} from '../src/index.ts';

type Validity = DataQualityClient['validity'];
type Metrics = DataQualityClient['metrics'];

describe('what methods return', () => {
  test('values and pages', () => {
    expectTypeOf<ReturnType<Validity['summary']>>().toEqualTypeOf<ApiPromise<ValiditySummary>>();
    expectTypeOf<ReturnType<Validity['list']>>().toEqualTypeOf<PagePromise<ValidityRule>>();
    expectTypeOf<Awaited<ReturnType<Validity['list']>>>().toEqualTypeOf<Page<ValidityRule>>();
    expectTypeOf<ReturnType<Validity['get']>>().toEqualTypeOf<ApiPromise<ValidityRuleDetail>>();
    expectTypeOf<ReturnType<Validity['create']>>().toEqualTypeOf<ApiPromise<ValidityRule>>();
    expectTypeOf<ReturnType<Validity['update']>>().toEqualTypeOf<ApiPromise<Partial<ValidityRuleDetail>>>();
    expectTypeOf<ReturnType<Validity['delete']>>().toEqualTypeOf<ApiPromise<Deletion>>();
    expectTypeOf<ReturnType<Validity['check']>>().toEqualTypeOf<ApiPromise<ValidityCheck>>();
    expectTypeOf<ReturnType<Validity['results']>>().toEqualTypeOf<PagePromise<ValidityCheckResult>>();
    expectTypeOf<ReturnType<Metrics['get']>>().toEqualTypeOf<ApiPromise<MetricDetail>>();
    expectTypeOf<ReturnType<Metrics['update']>>().toEqualTypeOf<ApiPromise<Partial<Metric>>>();
    expectTypeOf<ReturnType<Metrics['capture']>>().toEqualTypeOf<ApiPromise<MetricCapture>>();
    expectTypeOf<ReturnType<Metrics['snapshots']>>().toEqualTypeOf<PagePromise<MetricSnapshot>>();
    expectTypeOf<ReturnType<DataQualityClient['freshness']['requireFresh']>>().toEqualTypeOf<
      ApiPromise<Freshness>
    >();
    expectTypeOf<Awaited<ReturnType<ApiPromise<number>['withResponse']>>>().toEqualTypeOf<{
      readonly data: number;
      readonly meta: ResponseMeta;
    }>();
    expectTypeOf<ReturnType<PagePromise<Metric>['toArray']>>().toEqualTypeOf<Promise<Metric[]>>();
  });

  test('outcomes are distinguished by their keys', () => {
    const outcome = {} as SettledCheck<ValidityRule>;
    expectTypeOf(outcome.rule).toEqualTypeOf<ValidityRule>();
    if ('error' in outcome) expectTypeOf(outcome.error).toEqualTypeOf<unknown>();
    else expectTypeOf(outcome.result).toEqualTypeOf<ValidityCheck>();
  });

  test('no any', () => {
    expectTypeOf<ValidityRuleDetail['rule_config']>().not.toBeAny();
    expectTypeOf<ValidityRule['rule_type']>().not.toBeAny();
    expectTypeOf<NonNullable<ValidityCheck['invalid_samples']>>().not.toBeAny();
    expectTypeOf<Awaited<ReturnType<DataQualityClient['request']>>>().toEqualTypeOf<unknown>();
  });

  test('documented values are offered, and others are strings all the same', () => {
    type Status = NonNullable<ValidityCheck['status']>;
    expectTypeOf<'fail'>().toExtend<Status>();
    expectTypeOf<string>().toExtend<Status>();
    expectTypeOf<number>().not.toExtend<Status>();
  });
});

const readMisspelt = (
  rule: ValidityRuleDetail,
  snapshot: MetricSnapshot,
  freshness: Freshness,
): unknown[] => [
  // @ts-expect-error alert_threshold_percent
  rule.alert_treshold_percent,
  // @ts-expect-error is_anomaly
  snapshot.is_anomly,
  // @ts-expect-error not a documented field
  freshness.is_stale,
];

describe('fields of responses', () => {
  test('have their documented types, without undefined', () => {
    expectTypeOf<ValidityCheck['invalid_percent']>().toEqualTypeOf<number>();
    expectTypeOf<ValidityRule['is_active']>().toEqualTypeOf<boolean>();
    expectTypeOf<ValidityRuleDetail['alert_threshold_percent']>().toEqualTypeOf<number | null>();
    expectTypeOf<MetricSnapshot['z_score']>().toEqualTypeOf<number | null>();
    expectTypeOf<Freshness['last_updated']>().toEqualTypeOf<string | null>();
  });

  test('do not compile if they are misspelt', () => {
    expectTypeOf(readMisspelt).not.toBeAny();
  });
});

describe('what create demands', () => {
  const table = { table_path: 'a.b.c', column_name: 'd' } as const;

  test('of a rule depends on its type', () => {
    const rules: CreateValidityRule[] = [
      { rule_type: 'NOT_NULL', ...table },
      { rule_type: 'REGEX', ...table, rule_config: { pattern: '.' } },
      { rule_type: 'CUSTOM_SQL', table_path: 'a.b.c', rule_config: { sql_expression: 'x > 0' } },
      // @ts-expect-error a REGEX needs its configuration
      { rule_type: 'REGEX', ...table },
      // @ts-expect-error a REGEX needs a pattern
      { rule_type: 'REGEX', ...table, rule_config: {} },
      // @ts-expect-error a pattern is not part of a RANGE
      { rule_type: 'RANGE', ...table, rule_config: { pattern: '.' } },
      // @ts-expect-error an ENUM needs its values
      { rule_type: 'ENUM', ...table, rule_config: {} },
      // @ts-expect-error a DATE_FORMAT needs a format
      { rule_type: 'DATE_FORMAT', ...table, rule_config: null },
      // @ts-expect-error a column rule needs its column
      { rule_type: 'NOT_NULL', table_path: 'a.b.c' },
      // @ts-expect-error every rule needs its table
      { rule_type: 'NOT_NULL', column_name: 'd' },
      // @ts-expect-error there is no such type
      { rule_type: 'NOT_EMPTY', ...table },
      // @ts-expect-error there is no such severity
      { rule_type: 'NOT_NULL', ...table, severity: 'fatal' },
      // @ts-expect-error there is no such field
      { rule_type: 'NOT_NULL', ...table, treshold: 1 },
    ];
    expectTypeOf(rules).not.toBeAny();
  });

  test('of a metric depends on its type', () => {
    const metrics: CreateMetric[] = [
      { metric_type: 'row_count', table_path: 'a.b.c' },
      { metric_type: 'avg_value', ...table },
      { metric_type: 'percentile', ...table, percentile_value: 95 },
      // @ts-expect-error all but row_count need a column
      { metric_type: 'null_percent', table_path: 'a.b.c' },
      // @ts-expect-error a percentile needs its value
      { metric_type: 'percentile', ...table },
      // @ts-expect-error there is no such type
      { metric_type: 'median', ...table },
    ];
    expectTypeOf(metrics).not.toBeAny();
  });

  test('of a query is what the interface names', () => {
    type Query = Parameters<Validity['list']>[1];
    expectTypeOf<{ limit: number; is_active: boolean }>().toExtend<Query>();
    // @ts-expect-error there is no such parameter
    const query: Query = { page: 1 };
    expectTypeOf(query).not.toBeAny();
  });
});

describe('errors', () => {
  test('a code narrows the details', () => {
    const error: unknown = undefined;
    if (isApiError(error, 'RULE_NOT_FOUND')) {
      expectTypeOf(error).toEqualTypeOf<RuleNotFoundError>();
      expectTypeOf(error.details.rule_id).toEqualTypeOf<string | undefined>();
    }
    if (isApiError(error, 'FORBIDDEN')) {
      expectTypeOf(error.details.required_scope).toEqualTypeOf<string | undefined>();
    }
    if (isApiError(error, 'RATE_LIMITED')) {
      expectTypeOf(error.retryAfterMs).toEqualTypeOf<number | undefined>();
    }
    if (isApiError(error, 'VALIDATION_ERROR')) {
      expectTypeOf(error.details.field).toEqualTypeOf<string | undefined>();
    }
    if (isApiError(error)) expectTypeOf(error.details).toEqualTypeOf<unknown>();
    if (isDataQualityError(error)) expectTypeOf(error.code).toEqualTypeOf<string>();
  });
});
