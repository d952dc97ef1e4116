import { Command } from '@commander-js/extra-typings';

import type { Session } from '../session.ts';
import { acceptMetric } from './metrics/accept.ts';
import { backtestMetric } from './metrics/backtest.ts';
import { captureMetrics } from './metrics/capture.ts';
import { createMetric } from './metrics/create.ts';
import { listMetrics } from './metrics/list.ts';
import { listSnapshots } from './metrics/snapshots.ts';

/** `dq metrics`. */
export const create = (session: Session) =>
  new Command('metrics')
    .description('define metrics, capture and list their values')
    .addCommand(listMetrics(session))
    .addCommand(createMetric(session))
    .addCommand(captureMetrics(session))
    .addCommand(listSnapshots(session))
    .addCommand(backtestMetric(session))
    .addCommand(acceptMetric(session));
