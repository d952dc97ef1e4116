// Run as a process of its own, so that it can be killed: a service on a state that others share.
import { startLocalService } from '../../src/local/index.ts';
import { fastClock } from './fast-clock.ts';

/** What the process is started with. */
interface ClusterOptions {
  readonly data: string;
  readonly state: string;
  readonly sources: Readonly<Record<string, string>>;
  /** When its clock begins to run faster, and how much. */
  readonly from: number;
  readonly speed: number;
}

// The text is written by the test that starts it.
const { data, state, sources, from, speed } = JSON.parse(process.argv[2] ?? '') as ClusterOptions;
const service = await startLocalService({
  data,
  state,
  sources,
  allowDestinations: true,
  keys: { readOnly: 'reader', readWrite: 'writer', admin: 'admin' },
  clock: fastClock(from, speed),
  onError: (error) => process.stderr.write(`${String(error)}\n`),
});
const assetId = service.assets.find(({ name }) => name in sources)?.id;
process.stdout.write(`${JSON.stringify({ url: service.url, assetId })}\n`);
process.once('SIGTERM', () => void service.close());
