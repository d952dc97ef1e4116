import { Session } from 'node:inspector/promises';

/** Whose code a processor works for. */
export const owners = ['Node and fetch', 'ky', 'zod', 'p-retry', 'garbage collection', 'the rest'] as const;

export type Owner = (typeof owners)[number];

function ownerOf(functionName: string, url: string): Owner | undefined {
  if (functionName === '(idle)') return undefined;
  if (functionName === '(garbage collector)') return 'garbage collection';
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (name === 'ky' || name === 'zod' || name === 'p-retry') return name;
  // What has no address is the engine's own, a system call for example.
  return url === '' || url.startsWith('node:') || url.startsWith('wasm:') ? 'Node and fetch' : 'the rest';
}

/** Runs `work` under the profiler, and resolves to how many ms of the main thread went to whom. */
export async function profile(work: () => Promise<unknown>): Promise<Record<Owner, number>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  await work();
  const {
    profile: { nodes, samples = [], timeDeltas = [] },
  } = await session.post('Profiler.stop');
  session.disconnect();
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const spent = Object.fromEntries(owners.map((owner) => [owner, 0])) as Record<Owner, number>;
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    const owner = ownerOf(frame?.functionName ?? '', frame?.url ?? '');
    if (owner !== undefined) spent[owner] += (timeDeltas[index] ?? 0) / 1000;
  }
  return spent;
}
