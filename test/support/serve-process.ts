// Run as a process of its own, so that it can be killed: prints where it listens, and then each entry of its log.
import { setTimeout as wait } from 'node:timers/promises';

import { startLocalService } from '../../src/local/index.ts';

const [data = '', ahead = '0', state, queryTimeout] = process.argv.slice(2);
const service = await startLocalService({
  data,
  state: state === '' ? undefined : state,
  queryTimeout: queryTimeout === undefined ? undefined : Number(queryTimeout),
  allowDestinations: true,
  onLog: (entry) => process.stdout.write(`${JSON.stringify(entry)}\n`),
  keys: { readOnly: 'reader', readWrite: 'writer', admin: 'admin' },
  // A clock that is ahead brings forward what is due later.
  clock: {
    now: () => Date.now() + Number(ahead),
    sleep: async (ms, signal) => wait(Math.max(0, ms), undefined, { signal }).catch(() => undefined),
  },
});
process.stdout.write(`${JSON.stringify({ url: service.url, assetId: service.assets[0]?.id })}\n`);
// Whoever asks it to end sees whether closing leaves anything that keeps it alive.
process.once('SIGTERM', () => void service.close());
