import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

/** What a user's bundler makes of one import. */
export interface BundleSize {
  readonly entry: string;
  /** Minified and gzipped, dependencies included, in bytes. */
  readonly size: number;
  /** What it may be at most, in bytes. */
  readonly budget: number;
}

const kilobyte = 1000;
const clientAlone = "export { DataQualityClient } from './src/index.ts'";

/**
 * The entries that are meant for bundles, each with its budget; the others run on a server. A budget is what the
 * entry takes now and a little more: one that grows on purpose gets a new one, with the reason in the commit.
 */
const entries: readonly { entry: string; code: string; budget: number }[] = [
  { entry: 'data-quality-client', code: "export * from './src/index.ts'", budget: 43.5 * kilobyte },
  {
    entry: 'data-quality-client, the client alone',
    code: clientAlone,
    budget: 41.5 * kilobyte,
  },
  {
    entry: 'data-quality-client/schemas',
    code: "export * from './src/contract/index.ts'",
    budget: 12 * kilobyte,
  },
  {
    entry: 'data-quality-client/webhooks',
    code: "export * from './src/webhooks/index.ts'",
    budget: 3.3 * kilobyte,
  },
  {
    entry: 'data-quality-client/webhooks, verifySignature alone',
    code: "export { verifySignature } from './src/webhooks/index.ts'",
    budget: 1.1 * kilobyte,
  },
  { entry: 'data-quality-client/gate', code: "export * from './src/gate/index.ts'", budget: 13 * kilobyte },
  {
    entry: 'data-quality-client/opentelemetry',
    code: "export * from './src/opentelemetry/index.ts'",
    budget: 6 * kilobyte,
  },
  { entry: 'data-quality-client/rules', code: "export * from './src/rules/index.ts'", budget: 67 * kilobyte },
  {
    // For those who write a definition as an object: without the YAML parser, which is more than half of the whole.
    entry: 'data-quality-client/rules, a plan of an object',
    code: "export { apply, checkDefinition, hasChanges, plan, renderChanges } from './src/rules/index.ts'",
    budget: 19 * kilobyte,
  },
];

/** Bundles every entry alone, as a user's bundler would, and weighs it. */
export function measureBundles(): Promise<BundleSize[]> {
  return Promise.all(
    entries.map(async ({ entry, code, budget }) => {
      const { outputFiles } = await bundle(code);
      const [file] = outputFiles;
      return { entry, size: gzipSync(file?.contents ?? '', { level: 9 }).length, budget };
    }),
  );
}

/** How many minified bytes of the client come from each package, largest first. */
export async function measureParts(): Promise<Map<string, number>> {
  const { metafile } = await bundle(clientAlone);
  const parts = new Map<string, number>();
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const [, name = 'data-quality-client'] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
      parts.set(name, (parts.get(name) ?? 0) + bytesInOutput);
    }
  }
  return new Map([...parts].toSorted(([, one], [, other]) => other - one));
}

function bundle(code: string) {
  return build({
    stdin: { contents: code, resolveDir: new URL('../..', import.meta.url).pathname, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    external: ['node:*'],
    logLevel: 'error',
  });
}
