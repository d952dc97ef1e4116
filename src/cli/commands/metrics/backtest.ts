import type { Backtest } from '../../../anomalies/index.ts';
import { backtestChart } from '../../backtest-chart.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import { positiveNumber } from '../../number.ts';
import type { Session } from '../../session.ts';
import { print } from '../../terminal.ts';

/** `dq metrics backtest`. */
export const backtestMetric = (session: Session) =>
  assetCommand('backtest')
    .description('replay the captured values of a metric: how many alerts a sensitivity would have given')
    .argument('<metric-id>', 'the id of the metric, m_…')
    .option('--sensitivity <number>', 'default: that of the metric; a higher one finds more', positiveNumber)
    .addHelpText('after', examples)
    .action(async (metricId, options) => {
      const { client, asset } = await connectToAsset(options);
      const { signal } = session;
      const metric = await client.metrics.get(asset, metricId, { include_snapshots: false }, { signal });
      const snapshots = await client.metrics
        .snapshots(asset, metricId, { limit: 1000 }, { signal })
        .toArray();
      const { backtest } = await import('../../../anomalies/index.ts');
      const sensitivity = options.sensitivity ?? metric.sensitivity ?? 1;
      const result = backtest(snapshots, { ...metric, sensitivity });
      print(options.json, result, () => `${backtestChart(result)}${summaryOf(result)}`);
    });

function summaryOf({ judged, anomalies, days, sensitivity, points }: Backtest): string {
  if (judged === 0) {
    return `${points.length} captured ${points.length === 1 ? 'value' : 'values'}: too few to judge, the first alert can come after five.`;
  }
  const alerts = anomalies === 1 ? '1 alert' : `${anomalies} alerts`;
  const on = days.length === 0 ? '' : `: ${days.join(', ')}`;
  return `Sensitivity ${sensitivity} would have given ${alerts} in ${judged} judged captures${on}`;
}

const examples = `
Examples:
  $ dq metrics backtest m_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d
  $ dq metrics backtest m_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d --sensitivity 0.6
  $ dq metrics backtest m_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d --json | jq .days`;
