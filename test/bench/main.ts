/**
 * `npm run bench`: measures this package beside others, prints the tables and writes them to RESULTS.md.
 *
 * `--quick` shortens the long measures and writes nothing; names of measures run only those.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem, version as kernel } from 'node:os';
import { parseArgs } from 'node:util';

import { contestants } from './contestants.ts';
import { anomalies } from './measures/anomalies.ts';
import type { Context } from './measures/context.ts';
import { importTime } from './measures/imports.ts';
import { iteration, latency, ownTime, smallGet, smallGetProfile } from './measures/processor-time.ts';
import { burstThroughLimit, gateAtLimit, sharedLimit } from './measures/rate-limit.ts';
import { bundleParts, bundleSizes } from './measures/size.ts';
import { soak } from './measures/soak.ts';
import { uploadMemory } from './measures/upload.ts';
import { benchFile, startServer } from './process.ts';
import { render, type Table } from './table.ts';

const measures: Readonly<Record<string, (context: Context) => Promise<Table>>> = {
  'small-get': smallGet,
  profile: smallGetProfile,
  iteration,
  'own-time': ownTime,
  latency,
  burst: burstThroughLimit,
  'gate-at-limit': gateAtLimit,
  redis: sharedLimit,
  upload: uploadMemory,
  import: importTime,
  size: bundleSizes,
  parts: bundleParts,
  soak,
  anomalies,
  webhooks: async () => (await import('./webhooks.ts')).run(),
  'local-check': async () => (await import('./local-check.ts')).run(),
  sources: async ({ shorter }) => (await import('./sources.ts')).run(shorter),
  'many-checks': async ({ shorter }) =>
    (await import('./many-checks.ts')).run(shorter === 1 ? 3 : 1, shorter),
};

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const chosen = positionals.length > 0 ? positionals : Object.keys(measures);
const shorter = values.quick ? 10 : 1;

const server = await startServer();
const tables: string[] = [];
try {
  const context: Context = { url: server.url, rounds: values.quick ? 1 : 5, shorter };
  for (const name of chosen) {
    const measure = measures[name];
    if (measure === undefined)
      throw new Error(`no measure ${name}; there are ${Object.keys(measures).join(', ')}`);
    const table = render(await measure(context));
    console.log(`${table}\n`);
    tables.push(table);
  }
} finally {
  server.stop();
}

if (!values.quick && positionals.length === 0) {
  await writeFile(benchFile('RESULTS.md'), `${await preface()}\n\n${tables.join('\n\n')}\n`);
}

/** What the figures were measured on and with. */
async function preface(): Promise<string> {
  const [processor] = cpus();
  const loaded = await Promise.all(Object.values(contestants).map((load) => load()));
  const names = new Set(loaded.flatMap(({ packages }) => packages).concat('stripe', '@anthropic-ai/sdk'));
  const versions = await Promise.all(
    [...names].toSorted().map(async (name) => `${name} ${await versionOf(name)}`),
  );
  return `# Benchmark

Written by \`npm run bench\`: one server process on loopback, every contestant in a process of its own.

- Machine: ${cpus().length} × ${processor?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${kernel()}
- Node.js ${process.versions.node}
- ${versions.join(', ')}; the client of @hey-api/openapi-ts 0.99.0 is in the repository`;
}

/** The version of a package that the benchmark installs for itself, or that this one needs anyway. */
async function versionOf(name: string): Promise<string> {
  const folders = ['node_modules', '../../node_modules'];
  const files = folders.map((folder) => new URL(`${folder}/${name}/package.json`, import.meta.url));
  const text = await Promise.any(files.map((file) => readFile(file, 'utf8')));
  return (JSON.parse(text) as { version: string }).version;
}
