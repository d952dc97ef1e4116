import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { testFolder } from './test-folder.ts';

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** The package as npm would publish it, installed beside its dependencies in an otherwise empty project. */
export interface InstalledTarball extends AsyncDisposable {
  /** Path of the tarball. */
  readonly tarball: string;
  /** Folder of the project. */
  readonly project: string;
  /** Folder of the package, below `node_modules` of the project. */
  readonly installed: string;
}

/** Packs `dist` as it is and installs it; `peers` are those of our own packages that the project has besides. */
export async function installTarball(peers: readonly string[] = []): Promise<InstalledTarball> {
  const project = await mkdtemp(join(testFolder, 'data-quality-client-package-'));
  const packed = await execute('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', project], {
    cwd: root,
  });
  const [{ filename = '' } = {}] = JSON.parse(packed.stdout) as readonly { filename?: string }[];
  const tarball = join(project, filename);
  const modules = join(project, 'node_modules');
  await mkdir(modules);
  await execute('tar', ['-xzf', tarball, '-C', project]);
  const installed = join(modules, 'data-quality-client');
  await rename(join(project, 'package'), installed);
  for (const name of ['ky', 'p-retry', 'zod', 'is-network-error', ...peers]) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  return {
    tarball,
    project,
    installed,
    [Symbol.asyncDispose]: async () => rm(project, { recursive: true }),
  };
}
