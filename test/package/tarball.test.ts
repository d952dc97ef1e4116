import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type InstalledTarball, installTarball } from '../support/tarball.ts';

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
};
const entries = Object.entries(exports)
  .filter(([, target]) => typeof target !== 'string')
  .map(([name]) => name.replace(/^\./, 'data-quality-client'));

let subject: InstalledTarball;
beforeAll(async () => {
  subject = await installTarball(['msw', '@duckdb', '@opentelemetry', '@types/node', 'undici-types']);
});
afterAll(async () => {
  await subject[Symbol.asyncDispose]();
});

async function run(file: string, code: string): Promise<string> {
  const path = join(subject.project, file);
  await writeFile(path, code);
  const { stdout } = await execute(process.execPath, [path], { cwd: subject.project });
  return stdout.trim();
}

describe('the packed package', () => {
  test('contains what is built and nothing else', () => {
    const files = globSync('**/*', {
      cwd: subject.installed,
      exclude: (file) => file === 'node_modules',
    });
    const outside = files.filter(
      (file) => !/^(dist(\/|$)|(README|CHANGELOG)\.md$|LICENSE$|package\.json$)/.test(file),
    );
    expect(outside).toEqual([]);
    expect(files.filter((file) => /\.(map|test\.\w+)$/.test(file) || /(?<!\.d)\.ts$/.test(file))).toEqual([]);
  });

  test('names no folder of the machine it was built on', () => {
    const texts = globSync('dist/**/*.{js,ts,json,txt}', { cwd: subject.installed });
    expect(texts.length).toBeGreaterThan(50);
    const naming = texts.filter((file) => readFileSync(join(subject.installed, file), 'utf8').includes(root));
    expect(naming).toEqual([]);
  });

  test('passes publint in its strict mode', async () => {
    const data = await readFile(subject.tarball);
    const { messages } = await publint({
      pack: { tarball: data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) },
      strict: true,
    });
    expect(messages).toEqual([]);
  });

  test('resolves to types for every importer of ES modules', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(await readFile(subject.tarball)));
    if (analysis.types === false) throw new Error('the package has no types');
    // An ESM-only package: `require` loads it from Node 22.12 on, and the old resolution of Node 10 knows no `exports`.
    const esmOnly = analysis.problems.filter(
      (problem) =>
        !('resolutionKind' in problem && ['node10', 'node16-cjs'].includes(problem.resolutionKind)) &&
        problem.kind !== 'CJSResolvesToESM',
    );
    expect(esmOnly).toEqual([]);
    expect(Object.keys(analysis.entrypoints)).toEqual(expect.arrayContaining(['.', './gate', './local']));
  });

  test.each(entries)('%s loads by import and by require', async (entry) => {
    const count = await run('import.mjs', `console.log(Object.keys(await import('${entry}')).length)`);
    expect(Number(count)).toBeGreaterThan(0);
    expect(await run('require.cjs', `console.log(Object.keys(require('${entry}')).length)`)).toBe(count);
  });

  test('runs its command line', async () => {
    const { version } = JSON.parse(await readFile(join(subject.installed, 'package.json'), 'utf8')) as {
      version: string;
    };
    const main = join(subject.installed, 'dist/cli/main.js');
    const { stdout } = await execute(process.execPath, [main, '--version']);
    expect(stdout.trim()).toBe(version);
  });

  test('type-checks in a strict project, declarations included', async () => {
    const imports = entries.map((entry, index) => `import * as entry${index} from '${entry}';`);
    const uses = entries.map((_, index) => `export const used${index}: object = entry${index};`);
    await writeFile(join(subject.project, 'consumer.ts'), [...imports, ...uses].join('\n'));
    const options = {
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2024', 'esnext.disposable', 'dom'],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: false,
    };
    await writeFile(
      join(subject.project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['consumer.ts'] }),
    );
    const compiler = join(root, 'node_modules/.bin/tsc');
    const outcome = await execute(compiler, ['--project', subject.project]).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(outcome.stdout).toBe('');
  });

  test('ships a notice of every package whose code it contains', async () => {
    const notices = await readFile(join(subject.installed, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    const named = new Set(Array.from(notices.matchAll(/^(\S+) \d\S* \(/gm), ([, name]) => name));
    // The bundler marks each file that it copies.
    const marked = globSync('dist/**/*.js', { cwd: subject.installed }).flatMap((file) =>
      Array.from(
        readFileSync(join(subject.installed, file), 'utf8').matchAll(
          /^\/\/ (?:.*\/)?node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm,
        ),
        ([, name]) => name,
      ),
    );
    expect(marked.length).toBeGreaterThan(10);
    expect([...new Set(marked)].filter((name) => !named.has(name))).toEqual([]);
    expect(notices).toContain('Permission is hereby granted, free of charge');
  });
});
