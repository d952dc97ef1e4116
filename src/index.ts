// The public names of the client, one by one.

export { DataQualityClient, type GenericListRequest, type GenericRequest } from './client.ts';
export type { ClientOptions } from './options/client-options.ts';
export type {
  CallEndEvent,
  CallStartEvent,
  Hooks,
  NoResponseEvent,
  ObservedCall,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  SendAttempt,
  ThrottleEvent,
} from './http/hooks.ts';
export type { Logger, LogLevel, RequestOptions, ResponseValidation } from './http/settings.ts';
export { ApiPromise, type ApiResponse, type ResponseMeta } from './http/api-promise.ts';
export { Page } from './http/paging/page.ts';
export { type ListOptions, PagePromise, type ToArrayOptions } from './http/paging/pages.ts';
export type { RateLimitOption } from './http/pacing/rate-limit-option.ts';
export type {
  LearnedLimit,
  PermitRequest,
  Permits,
  RateLimitStore,
  RequestLimits,
} from './http/pacing/rate-limit-store.ts';
export { createRedisRateLimitStore } from './http/pacing/redis-rate-limit-store.ts';
export type { IoRedisClient, NodeRedisClient, RedisClient } from './redis.ts';

export type { ApiErrorResponse } from './errors/api-error.ts';
export { ApiError } from './errors/api-error.ts';
export type { CallDescription } from './errors/call-description.ts';
export { ConfigurationError } from './errors/configuration-error.ts';
export { DataQualityError, isDataQualityError } from './errors/data-quality-error.ts';
export type {
  ApiErrorByCode,
  ApiErrorCode,
  ForbiddenDetails,
  ValidationDetails,
} from './errors/documented-errors.ts';
export {
  AssetNotFoundError,
  ForbiddenError,
  FreshnessNotConfiguredError,
  InternalError,
  isApiError,
  MetricNotFoundError,
  NotFoundError,
  RateLimitedError,
  RuleNotFoundError,
  UnauthorizedError,
  ValidationError,
} from './errors/documented-errors.ts';
export { InvalidRequestError } from './errors/invalid-request-error.ts';
export {
  AbortError,
  ConnectionError,
  ResponseValidationError,
  TimeoutError,
} from './errors/no-result-errors.ts';
export type { RateLimit } from './errors/rate-limit.ts';

export type { CheckManyOptions, SettledCheck, ValidityResource } from './resources/validity.ts';
export type { CaptureManyOptions, MetricsResource, SettledCapture } from './resources/metrics.ts';
export type { FreshnessResource, RequireFreshOptions, WaitUntilFreshOptions } from './resources/freshness.ts';
export { StaleDataError } from './resources/stale-data-error.ts';
export type { LineageResource, ManifestSource, UploadOptions } from './resources/lineage.ts';
export type { BulkOptions, Settled } from './resources/settle-many.ts';

export { GateFailedError, GateInconclusiveError } from './gate/gate-error.ts';
export { judgeCheck, type JudgeCheckOptions } from './judgement/check.ts';
export { type CapturedSnapshots, judgeCapture, type JudgeCaptureOptions } from './judgement/capture.ts';
export { judgeFreshness, type JudgeFreshnessOptions } from './judgement/freshness.ts';
export type { CheckOutcome, Judgement, Outcome, OutcomeCounts } from './judgement/outcome.ts';

export type { Method, Schema } from './contract/endpoint.ts';
export type { FreshnessEnvelope, Pagination } from './contract/envelope.ts';
export type { Issue } from './contract/issue.ts';
export type { Interval, LiteralUnion, MetricType, RuleType, Severity, Tier } from './contract/vocabulary.ts';
export type { Deletion } from './contract/field.ts';
export type { Freshness, FreshnessQuery } from './contract/freshness.ts';
export type { LineageUpload, SyncStats } from './contract/lineage.ts';
export type {
  ColumnMetric,
  CreateMetric,
  PercentileMetric,
  RowCountMetric,
} from './contract/create-metric.ts';
export type {
  CapturedSnapshot,
  GroupValues,
  Metric,
  MetricCapture,
  MetricDetail,
  MetricSnapshot,
  MetricsSummary,
} from './contract/metrics-responses.ts';
export type {
  MetricGetQuery,
  MetricsListQuery,
  MetricSnapshotsQuery,
  UpdateMetric,
} from './contract/metrics.ts';
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
} from './contract/create-rule.ts';
export type {
  InvalidSample,
  InvalidSamples,
  ValidityCheck,
  ValidityCheckResult,
  ValidityRule,
  ValidityRuleDetail,
  ValiditySummary,
} from './contract/validity-responses.ts';
export type {
  CheckValidityRule,
  UpdateValidityRule,
  ValidityListQuery,
  ValidityResultsQuery,
} from './contract/validity.ts';
