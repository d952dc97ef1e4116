import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';
import { expect, test } from 'vitest';

const entry = fileURLToPath(new URL('../../src/webhooks/index.ts', import.meta.url));

async function bundle(names: string): Promise<{ bytes: number; code: string; inputs: string[] }> {
  const result = await build({
    stdin: { contents: `export ${names} from ${JSON.stringify(entry)};`, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    metafile: true,
    write: false,
  });
  const [file] = result.outputFiles;
  const [output] = Object.values(result.metafile.outputs);
  const inputs = Object.entries(output?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput === 0 ? [] : [path],
  );
  return { bytes: gzipSync(file?.contents ?? '', { level: 9 }).length, code: file?.text ?? '', inputs };
}

test('the whole entry is at most 3.3 kB, without dependencies', async () => {
  const { bytes, code, inputs } = await bundle('*');
  expect(bytes).toBeLessThanOrEqual(3300);
  expect(
    inputs.filter(
      (path) => !/^(<stdin>|src\/((webhooks|errors)\/[\w-]+|redis|contract\/vocabulary)\.ts)$/.test(path),
    ),
  ).toEqual([]);
  expect(code).not.toMatch(/\bimport\b|\brequire\(/);
});

test('a receiver that only verifies bundles nothing else', async () => {
  const { bytes, inputs } = await bundle('{ verifySignature }');
  expect(bytes).toBeLessThanOrEqual(1300);
  expect(inputs).not.toContain('src/webhooks/handler.ts');
});
