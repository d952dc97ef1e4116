import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { median, type Table } from '../table.ts';
import type { Context } from './context.ts';

const scripts = {
  'an empty script': '',
  'data-quality-client':
    "import { DataQualityClient } from 'data-quality-client'; globalThis.used = DataQualityClient;",
  'ky + zod + p-retry':
    "import ky from 'ky'; import * as z from 'zod'; import pRetry from 'p-retry'; globalThis.used = [ky, z, pRetry];",
  openai: "import OpenAI from 'openai'; globalThis.used = OpenAI;",
  '@anthropic-ai/sdk': "import Anthropic from '@anthropic-ai/sdk'; globalThis.used = Anthropic;",
  stripe: "import Stripe from 'stripe'; globalThis.used = Stripe;",
};

/** How long importing takes, from the packages as installed and from one bundled file. */
export async function importTime({ rounds }: Context): Promise<Table> {
  const repeats = rounds * 4;
  // In here, so that the packages are found.
  const folder = await mkdtemp(fileURLToPath(new URL('../.imports-', import.meta.url)));
  try {
    const files = await Promise.all(
      Object.values(scripts).map((script, index) => write(folder, index, script)),
    );
    const times = new Map(files.flat().map((file) => [file, [] as number[]]));
    for (let round = 0; round < repeats; round++) {
      for (const [file, list] of times) {
        const start = performance.now();
        spawnSync(process.execPath, [file], { stdio: 'inherit' });
        list.push(performance.now() - start);
      }
    }
    const medians = files.map((both) => both.map((file) => median(times.get(file) ?? [])));
    const [[emptyInstalled = 0, emptyBundled = 0] = []] = medians;
    return {
      title: 'Import',
      note: `By how many ms a script takes longer than an empty one; median of ${repeats} interleaved rounds. To reach: no more than ky + zod + p-retry by 10 %, ahead of openai, anthropic and stripe.`,
      columns: ['', 'as installed', 'bundled'],
      rows: Object.keys(scripts)
        .map((name, index) => {
          const [installed = 0, bundled = 0] = medians[index] ?? [];
          return [name, (installed - emptyInstalled).toFixed(1), (bundled - emptyBundled).toFixed(1)];
        })
        .slice(1),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes a script twice: as it is, and with everything it imports in it. */
async function write(folder: string, index: number, script: string): Promise<[string, string]> {
  const installed = join(folder, `${index}.mjs`);
  const bundled = join(folder, `${index}.bundle.mjs`);
  await writeFile(installed, script);
  await build({
    entryPoints: [installed],
    outfile: bundled,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    // Some of the packages call `require`, which a module has not.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return [installed, bundled];
}
