import { intervals } from '../../../contract/vocabulary.ts';
import type { UpdateMetric } from '../../../index.ts';
import { choice } from '../../choice.ts';
import { CliError } from '../../cli-error.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import { exitCode } from '../../../judgement/exit-code.ts';
import { positiveNumber } from '../../number.ts';
import type { Session } from '../../session.ts';
import { fieldTable } from '../../table.ts';
import { print } from '../../terminal.ts';

/** `dq metrics update`. */
export const updateMetric = (session: Session) =>
  assetCommand('update')
    .description('change how often a metric is captured and how anomalies are found')
    .argument('<metric-id>', 'the id of the metric, m_…')
    .option('--active', 'capture it')
    .option('--no-active', 'do not capture it, and keep it with its values')
    .option('--sensitivity <number>', 'a higher one finds more anomalies', positiveNumber)
    .addOption(choice('--interval <interval>', 'how often it is captured', intervals))
    .addHelpText('after', examples)
    .action(async (metricId, options) => {
      const patch: UpdateMetric = {
        ...(options.active !== undefined && { is_active: options.active }),
        ...(options.sensitivity !== undefined && { sensitivity: options.sensitivity }),
        ...(options.interval !== undefined && { capture_interval: options.interval }),
      };
      if (Object.keys(patch).length === 0) {
        throw new CliError(
          exitCode.usage,
          'What is to change? Give --sensitivity or another option; see --help.',
        );
      }
      const { client, asset } = await connectToAsset(options);
      const metric = await client.metrics.update(asset, metricId, patch, { signal: session.signal });
      print(options.json, metric, () =>
        Object.keys(metric).length === 0 ? `Changed ${metricId}.` : fieldTable(metric),
      );
    });

const examples = `
Examples:
  $ dq metrics update m_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d --sensitivity 0.6
  $ dq metrics update m_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d --no-active`;
