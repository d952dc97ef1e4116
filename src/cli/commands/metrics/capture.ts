import type {
  DataQualityClient,
  Judgement,
  Metric,
  CapturedSnapshot,
  SettledCapture,
} from '../../../index.ts';
import { CliError } from '../../cli-error.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import { isAnomaly, judgeCapture } from '../../../judgement/capture.ts';
import { exitCode, exitCodeOfOutcome, worstCode } from '../../../judgement/exit-code.ts';
import { startProgress } from '../../progress.ts';
import type { Session } from '../../session.ts';
import { groupOf } from '../../snapshot-table.ts';
import { paintedBy } from '../../status.ts';
import { table } from '../../table.ts';
import { message, print } from '../../terminal.ts';

/** `dq metrics capture`. */
export const captureMetrics = (session: Session) =>
  assetCommand('capture')
    .description(
      'capture the values of metrics now; exit code 1 for an anomaly, 6 if inconclusive, such as for a metric without a value',
    )
    .argument('[metric-id...]', 'ids of metrics, m_…; default all active ones')
    .addHelpText('after', examples)
    .action(async (metricIds, options) => {
      const { client, asset } = await connectToAsset(options);
      const metrics = await select(client, asset, metricIds, session.signal);
      const { describeFailure, exitCodeOf } = await import('../../failure.ts');
      const progress = startProgress();
      const outcomes: SettledCapture<Metric>[] = [];
      for await (const outcome of client.metrics.captureMany(asset, metrics, {}, session)) {
        outcomes.push(outcome);
        session.progress = `${outcomes.length} of ${metrics.length} metrics captured`;
        progress.step(`${outcomes.length}/${metrics.length} ${nameOf(outcome.metric)}`);
      }
      progress.end();

      const captured = outcomes.map((settled): Captured => {
        const { metric } = settled;
        if ('error' in settled) {
          return { metric, outcome: 'inconclusive', error: describeFailure(settled.error) };
        }
        return { metric, snapshots: settled.result.snapshots, ...judgeCapture(settled.result, { metric }) };
      });
      for (const { metric, outcome, reason } of captured) {
        if (reason !== undefined) message(`${nameOf(metric)}: ${outcome}: ${reason}`);
      }
      print(options.json, captured, () =>
        table(['METRIC', 'VALUE', 'STATUS', 'ANOMALY', 'GROUP'], captured.flatMap(rowsOf), [1]),
      );
      session.exitCode = worstCode(
        outcomes.map((settled, at) =>
          'error' in settled
            ? exitCodeOf(settled.error)
            : exitCodeOfOutcome(captured[at]?.outcome ?? 'inconclusive'),
        ),
      );
    });

/** What became of a metric: its snapshots and what they mean, or the error instead of them. */
interface Captured extends Judgement {
  readonly metric: Metric;
  readonly snapshots?: readonly CapturedSnapshot[];
  readonly error?: string;
}

function rowsOf({ metric, snapshots, outcome, error }: Captured): unknown[][] {
  if (snapshots === undefined) {
    return [[nameOf(metric), undefined, paintedBy('inconclusive', 'error'), undefined, error]];
  }
  return snapshots.map((snapshot) => [
    nameOf(metric),
    snapshot.value,
    paintedBy(outcome, snapshot.status),
    isAnomaly(snapshot) ? 'yes' : 'no',
    groupOf(snapshot),
  ]);
}

/** The metrics to capture. Ends the command if none was selected: selecting nothing is not a success. */
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

const examples = `
Examples:
  $ dq metrics capture
  $ dq metrics capture m_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d --json`;
