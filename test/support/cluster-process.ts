// Run as a process of its own, so that it can be killed: a service on a state that others share.
import { type LocalServiceOptions, startLocalService } from '../../src/local/index.ts';
import { fastClock } from './fast-clock.ts';

/** What the process is started with. */
interface SharedOptions extends Pick<LocalServiceOptions, 'state' | 'sources' | 'destinations'> {
  /** When its clock begins to run faster, in ms since 1970. */
  readonly from: number;
  /** How many times faster. */
  readonly speed: number;
}

// The text is written by the test that starts it.
const { from, speed, ...options } = JSON.parse(process.argv[2] ?? '') as SharedOptions;
const service = await startLocalService({
  ...options,
  allowDestinations: true,
  keys: { readOnly: 'reader', readWrite: 'writer', admin: 'admin' },
  clock: fastClock(from, speed),
  onError: (error) => process.stderr.write(`${String(error)}\n`),
});
process.stdout.write(`${JSON.stringify({ url: service.url, assetId: service.assets[0]?.id })}\n`);
process.once('SIGTERM', () => void service.close());
