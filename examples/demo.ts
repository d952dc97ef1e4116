/** `npm run demo`: the local service over real data, and the pipeline of gate-pipeline.ts gated by it. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { startLocalService } from 'data-quality-client/local';

const source = fileURLToPath(new URL('../node_modules/vega-datasets/data/', import.meta.url));
const files = {
  'birdstrikes.csv': 'birdstrikes.csv',
  'flights-3m.parquet': 'flights.parquet',
  'movies.json': 'movies.json',
};

const temporary = await mkdtemp(join(tmpdir(), 'data-quality-demo-'));
const data = join(temporary, 'warehouse');
await mkdir(data);
for (const [from, to] of Object.entries(files)) await copyFile(join(source, from), join(data, to));

try {
  await using service = await startLocalService({ data, state: join(temporary, 'state') });
  const [asset = { id: '', name: '' }] = service.assets;
  console.log(`Local service at ${service.url}, over ${Object.values(files).join(', ')}\n`);
  process.env['DATA_QUALITY_BASE_URL'] = service.url;
  process.env['DATA_QUALITY_API_KEY'] = service.keys.readWrite;
  process.env['ASSET_ID'] = asset.id;
  process.env['CATALOG'] = asset.name;
  await import('./gate-pipeline.ts');

  const report = join(tmpdir(), 'data-quality-report.html');
  const dq = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
  await promisify(execFile)(process.execPath, [
    dq,
    'report',
    '--check',
    '--asset',
    asset.id,
    '--output',
    report,
  ]);
  console.log(`\nReport: ${report}`);
} finally {
  await rm(temporary, { recursive: true });
}
