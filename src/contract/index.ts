// What the service is: URLs, fields, schemas, page sizes, which requests may be repeated, what a status code
// means.

export type { Endpoint, Envelope, FilePart, Method, PageSize, Retry, Schema } from './endpoint.ts';
export { type Endpoints, endpoints } from './endpoints.ts';
export type { Deletion, RequestSchema } from './field.ts';
export { intervalSchema } from './field.ts';
export type { FreshnessEnvelope, Pagination } from './envelope.ts';
export { errorEnvelopeSchema, objectEnvelopeSchema } from './envelope.ts';
export type { Description, FieldKind } from './description.ts';
export type { ResponseSchema } from './response-schemas.ts';
export {
  capturedSnapshotSchema,
  deletionSchema,
  freshnessEnvelopeSchema,
  freshnessSchema,
  invalidSampleSchema,
  lineageUploadSchema,
  listEnvelopeSchema,
  metricCaptureSchema,
  metricDetailSchema,
  metricSchema,
  metricSnapshotSchema,
  metricsSummarySchema,
  paginationSchema,
  validityCheckResultSchema,
  validityCheckSchema,
  validityRuleDetailSchema,
  validityRuleSchema,
  validitySummarySchema,
} from './response-schemas.ts';
export type {
  CreateValidityRule,
  CustomSqlConfig,
  CustomSqlRule,
  DateFormatConfig,
  DateFormatRule,
  EnumConfig,
  EnumRule,
  NotNullRule,
  RangeConfig,
  RangeRule,
  RegexConfig,
  RegexRule,
  UniqueRule,
} from './create-rule.ts';
export type {
  InvalidSample,
  InvalidSamples,
  ValidityCheck,
  ValidityCheckResult,
  ValidityRule,
  ValidityRuleDetail,
  ValiditySummary,
} from './validity-responses.ts';
export type {
  CheckValidityRule,
  UpdateValidityRule,
  ValidityListQuery,
  ValidityResultsQuery,
} from './validity.ts';
export { createValidityRuleSchema } from './create-rule.ts';
export {
  checkValidityRuleSchema,
  updateValidityRuleSchema,
  validityEndpoints,
  validityListQuerySchema,
  validityResultsQuerySchema,
} from './validity.ts';
export type { ColumnMetric, CreateMetric, PercentileMetric, RowCountMetric } from './create-metric.ts';
export type {
  CapturedSnapshot,
  GroupValues,
  Metric,
  MetricCapture,
  MetricDetail,
  MetricSnapshot,
  MetricsSummary,
} from './metrics-responses.ts';
export type { MetricGetQuery, MetricsListQuery, MetricSnapshotsQuery, UpdateMetric } from './metrics.ts';
export { createMetricSchema } from './create-metric.ts';
export {
  metricGetQuerySchema,
  metricsEndpoints,
  metricsListQuerySchema,
  metricSnapshotsQuerySchema,
  updateMetricSchema,
} from './metrics.ts';
export type { Freshness, FreshnessQuery } from './freshness.ts';
export { freshnessEndpoints, freshnessQuerySchema } from './freshness.ts';
export type { LineageUpload, SyncStats } from './lineage.ts';
export { lineageEndpoints } from './lineage.ts';
export type {
  EventType,
  Interval,
  LiteralUnion,
  MetricType,
  RuleType,
  Scope,
  Severity,
  Tier,
} from './vocabulary.ts';
export { eventTypes, intervals, metricTypes, ruleTypes, severities } from './vocabulary.ts';
