import * as z from 'zod/mini';

import { backtest } from '../anomalies/index.ts';
import type { DataQualityClient } from '../index.ts';
import { assetParameter, defineTool, reads, type Tool, type ToolOptions } from './tool.ts';

const mostSnapshots = 1000;

/** Makes the tool that replays the captured values of a metric. */
export function backtestTool(client: DataQualityClient, options: ToolOptions): Tool {
  return defineTool({
    name: 'metrics_backtest',
    title: 'Replay the values of a metric',
    description: `Replays the latest ${mostSnapshots} captured values of a metric and returns which would have been anomalies at a sensitivity. Use it before metrics_update changes the sensitivity. It judges as the local service does; a hosted service may judge differently.`,
    input: z.strictObject({
      asset_id: assetParameter(options.asset),
      metric_id: z.string().check(z.minLength(1, 'must not be empty')),
      sensitivity: z.optional(z.number().check(z.gt(0))),
    }),
    output: z.looseObject({
      sensitivity: z.number(),
      captures: z.number(),
      judged: z.number(),
      anomalies: z.number(),
      days: z.array(z.string()),
      anomalous: z.array(z.looseObject({ captured_at: z.string(), value: z.number() })),
      note: z.optional(z.string()),
    }),
    effect: reads,
    more: 'A lower sensitivity finds fewer anomalies.',
    run: async ({ asset_id, metric_id: id, sensitivity }, { signal }) => {
      const asset = String(asset_id ?? options.asset);
      const metric = await client.metrics.get(asset, id, { include_snapshots: false }, { signal });
      const snapshots = await client.metrics
        .snapshots(asset, id, { limit: mostSnapshots }, { signal })
        .toArray({ max: mostSnapshots });
      const judged = { ...metric, sensitivity: sensitivity ?? metric.sensitivity ?? 1 };
      const { points, ...found } = backtest(snapshots, judged);
      const anomalous = points.filter(({ is_anomaly }) => is_anomaly);
      return { ...found, captures: points.length, anomalous };
    },
  });
}
