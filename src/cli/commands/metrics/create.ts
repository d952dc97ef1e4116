import { Option } from '@commander-js/extra-typings';

import { defaults, intervals, metricTypes } from '../../../contract/vocabulary.ts';
import type { CreateMetric } from '../../../index.ts';
import { anyCase, choice } from '../../choice.ts';
import { CliError } from '../../cli-error.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import { exitCode } from '../../../judgement/exit-code.ts';
import { finiteNumber } from '../../number.ts';
import type { Session } from '../../session.ts';
import { fieldTable } from '../../table.ts';
import { print } from '../../terminal.ts';

/** `dq metrics create`. */
export const createMetric = (session: Session) =>
  assetCommand('create')
    .description('create a metric')
    .addOption(
      new Option('--type <metric_type>', 'what is measured')
        .choices(metricTypes)
        .argParser(anyCase(metricTypes))
        .makeOptionMandatory(),
    )
    .requiredOption('--table <table_path>', 'table, as <catalog>.<schema>.<table>')
    .option('--column <name>', 'column; every type but row_count needs it')
    .option('--percentile <value>', 'for percentile: 0 to 100', finiteNumber)
    .option('--group-by <columns>', 'columns, separated by commas: one value a group', (text) =>
      text.split(','),
    )
    .option('--sensitivity <number>', 'a higher one finds more anomalies; default 1', finiteNumber)
    .addOption(choice('--interval <interval>', `default ${defaults.interval}`, intervals))
    .addHelpText('after', examples)
    .action(async (options) => {
      if (options.type !== 'row_count' && options.column === undefined) {
        throw new CliError(exitCode.usage, `${options.type} needs --column.`);
      }
      if ((options.type === 'percentile') !== (options.percentile !== undefined)) {
        const verb = options.type === 'percentile' ? 'needs' : 'takes no';
        throw new CliError(exitCode.usage, `${options.type} ${verb} --percentile.`);
      }
      const { client, asset } = await connectToAsset(options);
      const body = {
        metric_type: options.type,
        table_path: options.table,
        column_name: options.column,
        ...(options.percentile !== undefined && { percentile_value: options.percentile }),
        group_by_columns: options.groupBy,
        sensitivity: options.sensitivity,
        capture_interval: options.interval,
      };
      // Which fields a type demands is checked before anything is sent, and named in the error.
      const metric = await client.metrics.create(asset, body as CreateMetric, { signal: session.signal });
      print(options.json, metric, () => fieldTable(metric));
    });

const examples = `
Examples:
  $ dq metrics create --type row_count --table shop.main.orders
  $ dq metrics create --type percentile --percentile 95 --table shop.main.orders --column amount
  $ dq metrics create --type null_percent --table shop.main.users --column email --group-by country`;
