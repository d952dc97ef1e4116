import { inspect } from 'node:util';

import { build } from 'esbuild';
import { expect, test } from 'vitest';

import type { DataQualityClient } from '../src/index.ts';

test('a bundled client is shown by its name', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { DataQualityClient } from './src/index.ts';`,
      resolveDir: `${import.meta.dirname}/..`,
    },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    external: ['node:fs'],
    write: false,
  });
  const source = Buffer.from(outputFiles[0]?.text ?? '').toString('base64');
  const module: unknown = await import(/* @vite-ignore */ `data:text/javascript;base64,${source}`);
  const { DataQualityClient: Bundled } = module as { DataQualityClient: typeof DataQualityClient };
  const client = new Bundled({ apiKey: 'k', baseUrl: 'https://dq.test' });
  expect(inspect(client)).toMatch(/^DataQualityClient \{/);
  expect(inspect(client)).not.toContain("'k'");
});
