/**
 * `npm run demo`: a local service over real data, sixty trading days of history, and the morning after: the pipeline of
 * gate-pipeline.ts stops what is wrong, alerts arrive by webhook, and a report says why.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { DataQualityClient } from 'data-quality-client';
import { startLocalService } from 'data-quality-client/local';
import { apply, parseDefinition, plan } from 'data-quality-client/rules';
import { type AlertEvent, createWebhookHandler, toNodeHandler } from 'data-quality-client/webhooks';

const source = fileURLToPath(new URL('../node_modules/vega-datasets/data/', import.meta.url));
const secret = 'shared-with-the-receiver';

const temporary = await mkdtemp(join(tmpdir(), 'data-quality-demo-'));
const data = join(temporary, 'warehouse');
await mkdir(data);
await copyFile(join(source, 'birdstrikes.csv'), join(data, 'birdstrikes.csv'));
await copyFile(join(source, 'flights-3m.parquet'), join(data, 'flights.parquet'));
await copyFile(join(source, 'movies.json'), join(data, 'movies.json'));

// The S&P 500, one trading day per file: sixty quiet days, and 17 September 2001, when the exchanges had opened again.
const [header = '', ...lines] = (await readFile(join(source, 'sp500-2000.csv'), 'utf8')).trim().split('\n');
const last = lines.findIndex((line) => line.startsWith('2001-09-17'));
const tradingDays = lines.slice(last - 60, last + 1);

const alerts: AlertEvent[] = [];
const receive = createWebhookHandler({ secret, onAlert: (alert) => void alerts.push(alert) });
const receiver = createServer(toNodeHandler(receive)).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const { port } = receiver.address() as AddressInfo;

await writeFile(
  join(data, 'dq.json'),
  JSON.stringify({
    assets: [
      {
        name: 'warehouse',
        freshness: { table: 'warehouse.main.trading', timestamp_column: 'date', threshold: '5d' },
      },
    ],
    destinations: [{ name: 'operations', url: `http://127.0.0.1:${port}/alerts`, secret }],
  }),
);

// The service lives in 2001: the clock jumps from one evening to the next, and runs on in between.
let aheadMs = 0;
const clock = {
  now: () => Date.now() - aheadMs,
  sleep: async (ms: number, signal: AbortSignal) => {
    await sleep(Math.max(0, ms), undefined, { signal, ref: false }).catch(() => undefined);
  },
};

/** Lets a trading day end: its file arrives in the evening. */
async function deliver(line: string): Promise<void> {
  aheadMs = Date.now() - Date.parse(`${line.slice(0, 10)}T22:00:00Z`);
  await writeFile(join(data, 'trading.csv'), `${header}\n${line}\n`);
}

try {
  await deliver(tradingDays[0] ?? '');
  await using service = await startLocalService({
    data,
    state: join(temporary, 'state'),
    clock,
    allowDestinations: true,
  });
  const [asset = { id: '', name: '' }] = service.assets;
  console.log(`Local service at ${service.url}, over ${asset.name}: birdstrikes, flights, movies, trading\n`);

  const client = new DataQualityClient({
    baseUrl: service.url,
    apiKey: service.keys.readWrite,
    rateLimit: false,
  });
  const definition = parseDefinition(await readFile(new URL('rules.yaml', import.meta.url), 'utf8'));
  const { 'warehouse.main.trading': trading = {} } = definition.tables;
  await apply(client, await plan(client, asset.id, { tables: { 'warehouse.main.trading': trading } }));
  const rules = await client.validity.list(asset.id).toArray();
  const metrics = await client.metrics.list(asset.id).toArray();
  for (const line of tradingDays.slice(0, -1)) {
    await deliver(line);
    await Promise.all([
      ...rules.map(({ uuid }) => client.validity.check(asset.id, uuid)),
      ...metrics.map(({ id }) => client.metrics.capture(asset.id, id)),
    ]);
  }
  console.log(`Replayed ${tradingDays.length - 1} trading days of rules and metrics.\n`);
  await client.lineage.upload(
    asset.id,
    JSON.parse(await readFile(new URL('manifest.json', import.meta.url), 'utf8')),
  );

  await deliver(tradingDays.at(-1) ?? '');
  process.env['DATA_QUALITY_BASE_URL'] = service.url;
  process.env['DATA_QUALITY_API_KEY'] = service.keys.readWrite;
  process.env['ASSET_ID'] = asset.id;
  await import('./gate-pipeline.ts');

  for (let waits = 0; alerts.length < 3 && waits < 100; waits++) await sleep(50);
  console.log();
  for (const { event, alert } of alerts) {
    console.log(`Alert received: ${event.type} on ${event.asset.qualified_name} (${alert.rule_name})`);
  }

  const report = join(tmpdir(), 'data-quality-report.html');
  const dq = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
  await promisify(execFile)(process.execPath, [dq, 'report', '--asset', asset.id, '--output', report]);
  console.log(`\nReport: ${report}`);
} finally {
  receiver.close();
  receiver.closeAllConnections();
  await rm(temporary, { recursive: true });
}
