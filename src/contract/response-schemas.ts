// The schemas of responses, for those who check values of their own: the client itself reads the descriptions.
import * as z from 'zod/mini';

import type { AnyDescription, Description, FieldKind } from './description.ts';
import {
  type FreshnessEnvelope,
  freshnessEnvelopeFields,
  type Pagination,
  paginationFields,
} from './envelope.ts';
import { type Deletion, deletionFields } from './field.ts';
import { type Freshness, freshnessFields } from './freshness.ts';
import { type LineageUpload, lineageUploadFields } from './lineage.ts';
import {
  capturedFields,
  type CapturedSnapshot,
  captureFields,
  type Metric,
  type MetricCapture,
  type MetricDetail,
  metricDetailFields,
  metricFields,
  type MetricSnapshot,
  type MetricsSummary,
  metricsSummaryFields,
  snapshotFields,
} from './metrics-responses.ts';
import {
  checkFields,
  type InvalidSample,
  resultFields,
  ruleDetailFields,
  ruleFields,
  type ValidityCheck,
  type ValidityCheckResult,
  type ValidityRule,
  type ValidityRuleDetail,
  type ValiditySummary,
  validitySummaryFields,
} from './validity-responses.ts';

/** The schema of an object of a response: unknown keys are kept, and its type has the documented ones. */
export type ResponseSchema<Value> = z.ZodMiniType<Value, Value>;

/** Makes the schema of an object of a response from what of it is checked. */
export function toSchema<Value>(description: Description<Value>): ResponseSchema<Value> {
  // What is not checked has the documented type, whatever it is.
  return toObject(description) as unknown as ResponseSchema<Value>;
}

function toObject({ required = {}, nullable = {} }: AnyDescription): z.ZodMiniType {
  const shape: Record<string, z.ZodMiniType> = {};
  for (const [name, kind] of Object.entries(required)) shape[name] = toField(kind);
  for (const [name, kind] of Object.entries(nullable)) shape[name] = z.nullish(toField(kind));
  return z.looseObject(shape);
}

function toField(kind: FieldKind | undefined): z.ZodMiniType {
  if (typeof kind === 'object') return z.array(toObject(kind[0]));
  const schemas = { string: z.string, number: z.number, boolean: z.boolean, object: () => z.looseObject({}) };
  return kind === undefined ? z.unknown() : schemas[kind]();
}

/** The position of a page in its list. */
export const paginationSchema: ResponseSchema<Pagination> = toSchema(paginationFields);

/** `{ data: { items: [ ] }, pagination }`, or `{ data: [ ], pagination }` */
export const listEnvelopeSchema = z.looseObject({
  data: z.union([z.looseObject({ items: z.array(z.unknown()) }), z.array(z.unknown())]),
  pagination: z.nullish(paginationSchema),
});

/** `{ success, data, message, error, meta }`, the envelope of the freshness endpoint. */
export const freshnessEnvelopeSchema: ResponseSchema<FreshnessEnvelope> = toSchema(freshnessEnvelopeFields);

/** The response to a delete. */
export const deletionSchema: ResponseSchema<Deletion> = toSchema(deletionFields);

/** Whether the data of an asset is fresh. */
export const freshnessSchema: ResponseSchema<Freshness> = toSchema(freshnessFields);

/** The response to the upload of a manifest. */
export const lineageUploadSchema: ResponseSchema<LineageUpload> = toSchema(lineageUploadFields);

/** A rule, as lists and the response to a create return it. */
export const validityRuleSchema: ResponseSchema<ValidityRule> = toSchema(ruleFields);

/** A rule with its configuration, as the detail response returns it. */
export const validityRuleDetailSchema: ResponseSchema<ValidityRuleDetail> = toSchema(ruleDetailFields);

/** The result of a check, as the list of results returns it. */
export const validityCheckResultSchema: ResponseSchema<ValidityCheckResult> = toSchema(resultFields);

/** A row that breaks a rule. */
export const invalidSampleSchema: ResponseSchema<InvalidSample> = toSchema({});

/** The result of a check with samples, as triggering the check returns it. */
export const validityCheckSchema: ResponseSchema<ValidityCheck> = toSchema(checkFields);

/** Counts over the rules of an asset. */
export const validitySummarySchema: ResponseSchema<ValiditySummary> = toSchema(validitySummaryFields);

/** A captured value, as the capture returns it. */
export const capturedSnapshotSchema: ResponseSchema<CapturedSnapshot> = toSchema(capturedFields);

/** A captured value, as the list of snapshots returns it. */
export const metricSnapshotSchema: ResponseSchema<MetricSnapshot> = toSchema(snapshotFields);

/** A metric. */
export const metricSchema: ResponseSchema<Metric> = toSchema(metricFields);

/** A metric with its latest snapshots. */
export const metricDetailSchema: ResponseSchema<MetricDetail> = toSchema(metricDetailFields);

/** The response to a capture. */
export const metricCaptureSchema: ResponseSchema<MetricCapture> = toSchema(captureFields);

/** Counts over the metrics of an asset. */
export const metricsSummarySchema: ResponseSchema<MetricsSummary> = toSchema(metricsSummaryFields);
