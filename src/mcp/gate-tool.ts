import * as z from 'zod/mini';

import { metricTypes, ruleTypes, severities } from '../contract/vocabulary.ts';
import { type Check, gate, type GateEvent, type Verdict, withSamples } from '../gate/index.ts';
import { headline } from '../gate/rows.ts';
import { readSamples } from '../gate/samples.ts';
import type { DataQualityClient } from '../index.ts';
import { asRecord } from '../judgement/field.ts';
import { type Outcome } from '../judgement/outcome.ts';
import {
  assetParameter,
  defineTool,
  type JsonObject,
  sampleModes,
  type Tool,
  type ToolOptions,
} from './tool.ts';

const usualDeadlineSeconds = 300;

const texts = z.optional(z.array(z.string()));
const outcomes: readonly Outcome[] = ['passed', 'failed', 'inconclusive'];

/** Makes the tool that runs a gate. */
export function gateTool(client: DataQualityClient, options: ToolOptions): Tool {
  const { allowed, usual } = sampleModes(options.samples);
  return defineTool({
    name: 'gate',
    title: 'Run a quality gate',
    description:
      'Checks the active rules of an asset now, and if asked its freshness and metrics, and returns one verdict: passed, failed or inconclusive. Only passed means that the data is good; inconclusive means that nobody knows. Scans tables and stores the results. Lists what did not pass; what passed is only counted.',
    input: z.strictObject({
      asset_id: assetParameter(options.asset),
      check_rules: z.optional(z.boolean()),
      rule_ids: texts,
      rule_types: z.optional(z.array(z.enum(ruleTypes))),
      table_paths: texts,
      severities: z.optional(z.array(z.enum(severities))),
      check_freshness: z.optional(z.boolean()),
      max_age_minutes: z.optional(z.number().check(z.gt(0))),
      capture_metrics: z.optional(z.boolean()),
      metric_types: z.optional(z.array(z.enum(metricTypes))),
      fail_on: z.optional(z.enum(severities)),
      allow_empty: z.optional(z.boolean()),
      sample_limit: z.optional(z.int().check(z.gte(0))),
      samples: z.optional(z.enum(allowed)),
      include_passed: z.optional(z.boolean()),
      deadline_seconds: z.optional(z.number().check(z.gt(0), z.lte(3600))),
    }),
    output: z.looseObject({
      outcome: z.enum(outcomes),
      summary: z.string(),
      reasons: z.array(z.string()),
      counts: z.record(z.string(), z.number()),
      checks: z.array(z.looseObject({ kind: z.string(), outcome: z.string() })),
      duration_ms: z.number(),
      note: z.optional(z.string()),
    }),
    effect: { readOnly: false, destructive: false, idempotent: false },
    more: 'Select fewer rules with rule_ids, rule_types, table_paths or severities.',
    run: async (input, { signal, onProgress }) => {
      const { check_rules = true, check_freshness = false, capture_metrics = false, samples = usual } = input;
      const selection = {
        ids: input.rule_ids,
        rule_type: input.rule_types,
        table_path: input.table_paths,
        severity: input.severities,
      };
      const maxAgeMinutes = input.max_age_minutes;
      const verdict = await gate(client, String(input.asset_id ?? options.asset), {
        rules: check_rules && (isAnySet(selection) ? selection : true),
        freshness: maxAgeMinutes === undefined ? check_freshness : { maxAgeMinutes },
        metrics: input.metric_types === undefined ? capture_metrics : { metric_type: input.metric_types },
        failOn: input.fail_on,
        allowEmpty: input.allow_empty,
        sampleLimit: samples === 'none' ? 0 : input.sample_limit,
        timeout: 1000 * (input.deadline_seconds ?? usualDeadlineSeconds),
        signal,
        throw: false,
        onProgress: (event: GateEvent) => {
          if (event.type !== 'started') onProgress(event.done, event.total, event.check.outcome);
        },
      });
      return showVerdict(withSamples(verdict, samples), input.include_passed === true);
    },
  });
}

function isAnySet(selection: JsonObject): boolean {
  return Object.values(selection).some((value) => value !== undefined);
}

function showVerdict(verdict: Verdict, all: boolean): JsonObject {
  const checks = [
    ...verdict.freshness.map((check) => ({ ...common('freshness', check), freshness: check.freshness })),
    ...verdict.checks.map(({ rule, result, ...check }) => {
      const { uuid, name, rule_type, severity, table_path, column_name } = asRecord(rule);
      const { total_rows, invalid_count, invalid_percent } = asRecord(result);
      const found = { total_rows, invalid_count, invalid_percent };
      return {
        ...common('rule', check),
        rule_id: uuid,
        name,
        rule_type,
        severity,
        table_path,
        column_name,
        ...(result !== undefined && { ...found, samples: readSamples(result) }),
      };
    }),
    ...verdict.metrics.map(({ metric, snapshots, ...check }) => {
      const { id, metric_type, table_path, column_name } = asRecord(metric);
      return { ...common('metric', check), metric_id: id, metric_type, table_path, column_name, snapshots };
    }),
  ];
  return {
    outcome: verdict.outcome,
    summary: headline(verdict),
    reasons: verdict.reasons,
    counts: verdict.counts,
    checks: all ? checks : checks.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped'),
    duration_ms: verdict.durationMs,
  };
}

function common(kind: 'rule' | 'freshness' | 'metric', { outcome, reason }: Omit<Check, 'assetId'>) {
  return { kind, outcome, ...(reason !== undefined && { reason }) };
}
