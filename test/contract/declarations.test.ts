// Reads the declarations as they are shipped: what an editor shows beside a field is the comment that stands there.
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { testFolder } from '../support/test-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(testFolder, 'declarations-'));
const declarations = new Map<string, string>();

beforeAll(async () => {
  const compiler = join(root, 'node_modules/.bin/tsc');
  await promisify(execFile)(compiler, ['--project', join(root, 'src/tsconfig.json'), '--outDir', folder]);
  for (const file of globSync('**/*.d.ts', { cwd: folder })) {
    declarations.set(file, readFileSync(join(folder, file), 'utf8'));
  }
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

/** The fields of every shape and every interface of the contract, each with the line above it. */
function fieldsOf(
  text: string,
): { readonly shape: string; readonly field: string; readonly above: string }[] {
  return [
    ...text.matchAll(
      /(?:declare const (?=\w+(?:Shape|Page|Filter):)|interface )(\w+)[^{\n]*\{\n([\s\S]*?)(?<=\n)\}/g,
    ),
  ].flatMap(([, shape = '', body = '']) => {
    const lines = body.split('\n');
    return lines.flatMap((line, at) => {
      const field = /^ {4}(\w+)\??: /.exec(line)?.[1];
      return field === undefined ? [] : [{ shape, field, above: lines[at - 1] ?? '' }];
    });
  });
}

describe('the shipped declarations', () => {
  test('describe every field of the contract', () => {
    const fields = [...declarations]
      .filter(([file]) => dirname(file) === 'contract')
      .flatMap(([, text]) => fieldsOf(text));
    expect(fields.length).toBeGreaterThan(100);
    const bare = fields.filter(({ above }) => !above.trimEnd().endsWith('*/'));
    expect(bare.map(({ shape, field }) => `${shape}.${field}`)).toEqual([]);
  });

  test('say in which unit a percentage is, and what the defaults are', () => {
    const text = ['validity-responses', 'create-rule']
      .map((file) => declarations.get(`contract/${file}.d.ts`))
      .join('\n');
    expect(text).toMatch(/percent units: 25 invalid rows of 10,000 are 0\.25\. \*\/\n\s*invalid_percent: /);
    expect(text).toMatch(/@default warning\n\s*\*\/\n\s*severity: /);
  });
});
