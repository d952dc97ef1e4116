/**
 * `npm run test:reproducible`: packs the package here, and again from a copy of the tracked files in another folder
 * with dependencies of its own. Fails, naming the files, if the two packages differ in a byte.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

function run(program: string, args: readonly string[], cwd: string): string {
  return execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Builds and packs the package in a folder; returns the digest of every packed file by its path. */
function packedFiles(folder: string, into: string): Map<string, string> {
  mkdirSync(into);
  run('npm', ['run', '--silent', 'build'], folder);
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', into], folder);
  const [tarball = ''] = globSync('*.tgz', { cwd: into });
  run('tar', ['-xzf', tarball], into);
  const paths = globSync('package/**', { cwd: into }).filter((path) => statSync(join(into, path)).isFile());
  return new Map(
    [tarball, ...paths].map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(into, path)))
        .digest('hex'),
    ]),
  );
}

const folder = mkdtempSync(join(tmpdir(), 'data-quality-client-build-'));
try {
  const copy = join(folder, 'somewhere', 'else');
  const tracked = run('git', ['ls-files', '-z'], root).split('\0');
  for (const file of tracked.filter((path) => path !== '' && !/^(?:test|examples)\//.test(path))) {
    cpSync(join(root, file), join(copy, file));
  }
  run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--silent'], copy);
  const here = packedFiles(root, join(folder, 'here'));
  const there = packedFiles(copy, join(folder, 'there'));
  const differing = [...new Set([...here.keys(), ...there.keys()])]
    .filter((path) => here.get(path) !== there.get(path))
    .toSorted();
  if (differing.length > 0) console.error(`Two builds differ in:\n${differing.join('\n')}`);
  else console.log(`${here.size} files are equal, the tarball among them.`);
  process.exitCode = differing.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
