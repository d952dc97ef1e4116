import type { CaptureOutcome, DataQualityClient, Metric } from '../../../index.ts';
import { CliError } from '../../cli-error.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import { type ExitCode, exitCode, worstCode } from '../../exit-code.ts';
import { startProgress } from '../../progress.ts';
import type { Session } from '../../session.ts';
import { groupOf } from '../../snapshot-table.ts';
import { paintStatus } from '../../status.ts';
import { table } from '../../table.ts';
import { print } from '../../terminal.ts';

/** `dq metrics capture`. */
export const captureMetrics = (session: Session) =>
  assetCommand('capture')
    .description('capture the values of metrics now; an anomaly ends with exit code 1')
    .argument('[metric-id...]', 'ids of metrics, m_…; default all active ones')
    .addHelpText('after', examples)
    .action(async (metricIds, options) => {
      const { client, asset } = await connectToAsset(options);
      const metrics = await select(client, asset, metricIds, session.signal);
      const { describeFailure, exitCodeOf } = await import('../../failure.ts');
      const progress = startProgress();
      const outcomes: CaptureOutcome<Metric>[] = [];
      for await (const outcome of client.metrics.captureMany(asset, metrics, {}, session)) {
        outcomes.push(outcome);
        session.progress = `${outcomes.length} of ${metrics.length} metrics captured`;
        progress.step(`${outcomes.length}/${metrics.length} ${nameOf(outcome.metric)}`);
      }
      progress.end();

      const captured = outcomes.map((outcome) =>
        'error' in outcome
          ? { metric: outcome.metric, error: describeFailure(outcome.error) }
          : { metric: outcome.metric, snapshots: outcome.result.snapshots },
      );
      print(options.json, captured, () =>
        table(
          ['METRIC', 'VALUE', 'STATUS', 'ANOMALY', 'GROUP'],
          captured.flatMap(({ metric, snapshots, error }) =>
            snapshots === undefined
              ? [[nameOf(metric), undefined, paintStatus('error'), undefined, error]]
              : snapshots.map((snapshot) => [
                  nameOf(metric),
                  snapshot.value,
                  paintStatus(snapshot.status),
                  snapshot.is_anomaly === true ? 'yes' : 'no',
                  groupOf(snapshot),
                ]),
          ),
          [1],
        ),
      );
      session.exitCode = worstCode(
        outcomes.map((outcome) =>
          'error' in outcome ? exitCodeOf(outcome.error) : codeOf(outcome.result.snapshots),
        ),
      );
    });

/** The metrics to capture. Ends the command if there are none: nothing selected is no success. */
async function select(
  client: DataQualityClient,
  asset: string,
  metricIds: readonly string[],
  signal: AbortSignal,
): Promise<readonly Metric[]> {
  if (metricIds.length > 0) {
    const query = { include_snapshots: false };
    return Promise.all(metricIds.map((id) => client.metrics.get(asset, id, query, { signal })));
  }
  const metrics = await client.metrics.list(asset, { is_active: true, limit: 100 }, { signal }).toArray();
  if (metrics.length > 0) return metrics;
  throw new CliError(exitCode.inconclusive, 'The asset has no active metric.');
}

function nameOf({ metric_type, table_path, column_name }: Metric): string {
  const where = [table_path, column_name].filter(Boolean).join('.');
  return `${metric_type ?? 'metric'} of ${where}`;
}

function codeOf(
  snapshots: readonly {
    readonly is_anomaly?: boolean | null | undefined;
    readonly status?: string | null | undefined;
  }[],
): ExitCode {
  const status = (wanted: string): boolean =>
    snapshots.some((snapshot) => snapshot.status?.toLowerCase() === wanted);
  if (status('fail') || snapshots.some((snapshot) => snapshot.is_anomaly === true)) return exitCode.badData;
  return status('error') || snapshots.length === 0 ? exitCode.inconclusive : exitCode.done;
}

const examples = `
Examples:
  $ dq metrics capture
  $ dq metrics capture m_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d --json`;
