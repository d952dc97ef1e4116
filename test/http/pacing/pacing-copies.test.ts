import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { build } from 'esbuild';
import { expect, it } from 'vitest';

import type * as Package from '../../../src/index.ts';
import { assetId, summary } from '../../support/connect.ts';
import { testFolder } from '../../support/test-folder.ts';

async function copyOf(folder: string, name: string): Promise<typeof Package> {
  const outfile = join(folder, `${name}.mjs`);
  await build({ entryPoints: ['src/index.ts'], bundle: true, format: 'esm', target: 'es2023', outfile });
  return import(/* @vite-ignore */ outfile) as Promise<typeof Package>;
}

it('is shared by two copies of the package in one process', async () => {
  const folder = await mkdtemp(join(testFolder, 'dq-copies-'));
  try {
    const one = await copyOf(folder, 'one');
    const other = await copyOf(folder, 'other');
    expect(other.DataQualityClient).not.toBe(one.DataQualityClient);
    const waits: number[] = [];
    const options = {
      apiKey: 'dq_live_copies',
      baseUrl: 'https://copies.test',
      rateLimit: { perMinute: 1000, perSecond: 1 },
      hooks: { onWait: ({ ms }: { ms: number }) => waits.push(ms) },
      fetch: () => Promise.resolve(Response.json({ data: summary })),
    };
    await new one.DataQualityClient(options).validity.summary(assetId);
    await new other.DataQualityClient(options).validity.summary(assetId);
    expect(waits).toHaveLength(1);
    const symbols = Object.getOwnPropertySymbols(globalThis);
    expect(symbols.filter((symbol) => symbol.description?.startsWith('data-quality-client.'))).toHaveLength(
      1,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
