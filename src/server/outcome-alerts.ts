import type { MetricRecord, ResultRecord, RuleRecord, SnapshotRecord } from '../service/store.ts';
import { alertOf } from './alert.ts';
import type { Clock } from './clock.ts';
import type { DeliveryWorker } from './delivery.ts';
import type { Destination } from './destination.ts';
import type { DataEvent } from './events.ts';
import { type Delivery, enqueue } from './outbox.ts';
import type { OutcomeListener } from './outcome.ts';
import type { Run } from './state.ts';

/** What alerts about checks and captures are made with. */
export interface OutcomeAlertParts {
  readonly destinations: readonly Destination[];
  readonly worker: DeliveryWorker;
  readonly clock: Clock;
  /** Returns the base address of the service. */
  readonly url: () => string;
}

/** An outcome of a rule or a metric, and the alert it is worth if it differs from the one before. */
interface Outcome {
  /** UUID of the rule or metric. */
  readonly subject: string;
  readonly status: string;
  /** The status that needs no alert. */
  readonly good: string;
  readonly event: DataEvent;
  /** Path of the rule or metric. */
  readonly path: string;
}

/**
 * Sends an alert as soon as a rule fails, cannot be evaluated, or passes again, and as soon as a metric has an anomaly
 * or has none any more. A status that lasts is reported once: the last reported one is kept in the state.
 */
export function outcomeAlerts(parts: OutcomeAlertParts): OutcomeListener | undefined {
  // Nobody would receive them.
  if (parts.destinations.length === 0) return undefined;
  return {
    result: async (run, result) => report(parts, run, await checkOutcome(run, result)),
    capture: async (run, snapshots) => report(parts, run, await captureOutcome(run, snapshots)),
    queued: (deliveries) => parts.worker.send(deliveries),
  };
}

async function report(
  { destinations, clock, url }: OutcomeAlertParts,
  run: Run,
  outcome: Outcome | undefined,
): Promise<readonly Delivery[]> {
  if (outcome === undefined) return [];
  const { subject, status, good } = outcome;
  const now = clock.now();
  const [row] = await run('SELECT status FROM reported WHERE subject = $1', subject);
  const before = row === undefined ? good : String(row[0]);
  if (before === status) return [];
  await run('DELETE FROM reported WHERE subject = $1', subject);
  await run('INSERT INTO reported VALUES ($1, $2)', subject, status);
  const alert = alertOf(outcome.event, { assetUrl: url() + outcome.path, now });
  return enqueue(
    run,
    alert,
    destinations.map(({ name }) => name),
    now,
  );
}

async function checkOutcome(run: Run, result: ResultRecord): Promise<Outcome | undefined> {
  const [row] = await run('SELECT record FROM rules WHERE id = $1', result.validity_rule_id);
  if (row === undefined) return undefined;
  const rule = JSON.parse(String(row[0])) as RuleRecord;
  const { status, total_rows, invalid_count, invalid_percent, error_message, checked_at } = result;
  const good = 'pass';
  return {
    subject: rule.uuid,
    status,
    good,
    path: `/api/v1/sdk/validity/${rule.asset_id}/${rule.uuid}`,
    event: {
      type: status === good ? 'validity_recovery' : 'validity_failure',
      rule_name: rule.name ?? [rule.rule_type, rule.column_name].filter((part) => part !== null).join(' '),
      qualified_name: rule.table_path,
      asset_type: 'table',
      details: {
        rule_id: rule.uuid,
        rule_type: rule.rule_type,
        column_name: rule.column_name,
        severity: rule.severity,
        status,
        total_rows,
        invalid_count,
        invalid_percent,
        checked_at,
        ...(error_message === null ? {} : { error_message }),
      },
    },
  };
}

async function captureOutcome(run: Run, snapshots: readonly SnapshotRecord[]): Promise<Outcome | undefined> {
  const anomalies = snapshots.filter(({ is_anomaly: isAnomaly }) => isAnomaly);
  const [shown] = anomalies.length === 0 ? snapshots : anomalies;
  // A metric that could not be computed says neither that the value is odd nor that it is as expected.
  if (shown === undefined || (anomalies.length === 0 && snapshots.some(({ value }) => value === null))) {
    return undefined;
  }
  const [row] = await run('SELECT record FROM metrics WHERE id = $1', shown.metric_definition_id);
  if (row === undefined) return undefined;
  const metric = JSON.parse(String(row[0])) as MetricRecord;
  const good = 'expected';
  const status = anomalies.length === 0 ? good : 'anomaly';
  return {
    subject: metric.id,
    status,
    good,
    path: `/api/v1/sdk/metrics/${metric.asset_id}/${metric.id}`,
    event: {
      type: status === good ? 'metric_recovery' : 'metric_anomaly',
      rule_name: [metric.metric_type, metric.column_name].filter((part) => part !== null).join(' '),
      qualified_name: metric.table_path,
      asset_type: 'table',
      details: {
        metric_id: metric.id,
        metric_type: metric.metric_type,
        column_name: metric.column_name,
        value: shown.value,
        z_score: shown.z_score,
        group_values: shown.group_values,
        anomalous_groups: anomalies.length,
        captured_at: shown.captured_at,
      },
    },
  };
}
