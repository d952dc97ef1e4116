import { Command } from '@commander-js/extra-typings';

import type { Session } from '../session.ts';
import { acceptMetric } from './metrics/accept.ts';
import { backtestMetric } from './metrics/backtest.ts';
import { captureMetrics } from './metrics/capture.ts';
import { createMetric } from './metrics/create.ts';
import { deleteMetrics } from './metrics/delete.ts';
import { getMetric } from './metrics/get.ts';
import { listMetrics } from './metrics/list.ts';
import { listSnapshots } from './metrics/snapshots.ts';
import { summarizeMetrics } from './metrics/summary.ts';
import { updateMetric } from './metrics/update.ts';

/** `dq metrics`. */
export const create = (session: Session) =>
  new Command('metrics')
    .description('define metrics, capture and list their values')
    .addCommand(listMetrics(session))
    .addCommand(getMetric(session))
    .addCommand(createMetric(session))
    .addCommand(updateMetric(session))
    .addCommand(deleteMetrics(session))
    .addCommand(captureMetrics(session))
    .addCommand(listSnapshots(session))
    .addCommand(summarizeMetrics(session))
    .addCommand(backtestMetric(session))
    .addCommand(acceptMetric(session))
    .addHelpText('after', examples);

const examples = `
Examples:
  $ dq metrics create --type row_count --table shop.main.orders
  $ dq metrics capture
  $ dq metrics snapshots m_9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d`;
