// Made by @hey-api/openapi-ts 0.99.0 from ../../openapi.json: what its zod plugin adds. Not to be edited.
/* oxlint-disable */
import { client, createClient } from './hey-api.js';

// out-zod/zod.gen.ts
import * as z from "zod";
var zRule = z.object({
  id: z.number(),
  uuid: z.string(),
  table_path: z.string().nullish(),
  column_name: z.string().nullish(),
  rule_type: z.string().nullish(),
  rule_config: z.record(z.string(), z.unknown()).nullish(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  severity: z.string().nullish(),
  is_active: z.boolean().nullish(),
  alert_threshold_percent: z.number().nullish(),
  treat_null_as_valid: z.boolean().nullish(),
  check_interval: z.string().nullish()
});
var zSnapshot = z.object({
  id: z.number(),
  metric_definition_id: z.number().nullish(),
  value: z.number().nullish(),
  captured_at: z.string().nullish(),
  is_anomaly: z.boolean().nullish(),
  z_score: z.number().nullish(),
  status: z.string().nullish()
});
var zSnapshotPage = z.object({
  data: z.object({
    items: z.array(zSnapshot)
  }),
  pagination: z.object({
    total: z.number().optional(),
    limit: z.number().optional(),
    offset: z.number().optional(),
    has_more: z.boolean().optional()
  })
});
var zGetRulePath = z.object({
  asset_id: z.string(),
  rule_id: z.string()
});
var zGetRuleResponse = z.object({
  data: zRule
});
var zListSnapshotsPath = z.object({
  asset_id: z.string(),
  metric_id: z.string()
});
var zListSnapshotsQuery = z.object({
  limit: z.int().optional(),
  offset: z.int().optional()
});
var zListSnapshotsResponse = zSnapshotPage;

// out-zod/sdk.gen.ts
var getRule = (options) => (options.client ?? client).get({
  responseValidator: async (data) => await zGetRuleResponse.parseAsync(data),
  url: "/api/v1/sdk/validity/{asset_id}/{rule_id}",
  ...options
});
var listSnapshots = (options) => (options.client ?? client).get({
  responseValidator: async (data) => await zListSnapshotsResponse.parseAsync(data),
  url: "/api/v1/sdk/metrics/{asset_id}/{metric_id}/snapshots",
  ...options
});
export {
  createClient,
  getRule,
  listSnapshots
};
