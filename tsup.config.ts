import { writeFile } from 'node:fs/promises';

import { defineConfig } from 'tsup';

import { definitionJsonSchema } from './src/rules/json-schema.ts';

// One entry per public room, and one for the process that queries run in. The declarations come from `tsc` (src/tsconfig.json), file by file:
// a declaration bundler would need a second TypeScript beside version 7.
export default defineConfig({
  // By name and not by a pattern: the order in which a pattern finds files differs from build to build, and with it
  // the names of the chunks.
  entry: Object.fromEntries(
    [
      'index',
      ...['anomalies', 'contract', 'gate', 'local', 'opentelemetry', 'rules', 'testing', 'webhooks'].map(
        (room) => `${room}/index`,
      ),
      'cli/main',
      'engines/duckdb/worker',
    ].map((name) => [name, `src/${name}.ts`]),
  ),
  format: 'esm',
  target: 'es2023',
  platform: 'neutral',
  external: [/^node:/, '@colors/colors/safe'],
  splitting: true,
  treeshake: true,
  clean: true,
  dts: false,
  // Without its prefix, a bundler for browsers looks for a package of that name.
  removeNodeProtocol: false,
  metafile: true,
  // What the command line is built with is bundled into its chunks; some of it has no `exports`.
  esbuildOptions(options) {
    options.mainFields = ['module', 'main'];
  },
  // What editors complete and check rule definitions with.
  async onSuccess() {
    await writeFile('dist/rules.schema.json', `${JSON.stringify(definitionJsonSchema(), null, 2)}\n`);
  },
});
