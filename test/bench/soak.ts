import { getEventListeners } from 'node:events';

import { DataQualityClient } from 'data-quality-client';

import { apiKey, assetId, metricId, ruleId } from './contestant.ts';

/**
 * Works for long with one client and one signal, and prints what is left over: `node --expose-gc soak.ts <base URL> <calls>`.
 */
const [, , baseUrl = '', calls = ''] = process.argv;
const client = new DataQualityClient({ apiKey, baseUrl });
const { signal } = new AbortController();
const batches = 10;
const concurrency = 16;

/** What is in use once the garbage is gone, in MB. */
function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

async function makeCalls(count: number): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await client.validity.get(assetId, ruleId, { signal, totalTimeout: 60_000 });
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

async function iterate(passes: number): Promise<number> {
  let count = 0;
  for (let pass = 0; pass < passes; pass++) {
    for await (const _ of client.metrics.snapshots(assetId, metricId, {}, { signal, concurrency: 4 }))
      count++;
  }
  return count;
}

await makeCalls(5000);
await iterate(1);
const heaps: number[] = [];
for (let batch = 0; batch < batches; batch++) {
  await makeCalls(Number(calls) / batches);
  heaps.push(heap());
}
const items = await iterate(2);
const afterItems = heap();
// One turn for the last connections to come to rest.
await new Promise((resolve) => void setImmediate(resolve));
const resources = process.getActiveResourcesInfo();
const left = {
  calls: Number(calls),
  items,
  heaps,
  afterItems,
  listeners: getEventListeners(signal, 'abort').length,
  timers: resources.filter((name) => name === 'Timeout').length,
  sockets: resources.filter((name) => name === 'TCPSocketWrap').length,
};
process.stdout.write(JSON.stringify(left));
process.exit(0);
