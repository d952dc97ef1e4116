import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { here, root, run, type Runner } from '../runner.ts';

const suite = (globals: string): string => `
  ${globals}
  import { setupServer } from 'msw/node';
  import { DataQualityClient } from 'data-quality-client';
  import { createFakeService } from 'data-quality-client/testing';

  const fake = createFakeService();
  const server = setupServer(...fake.handlers);
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterAll(() => server.close());

  test('the fake responds through msw', async () => {
    const client = new DataQualityClient({ baseUrl: fake.baseUrl, apiKey: fake.keys.readOnly });
    expect(await client.validity.list(fake.assets[0].id).toArray()).toEqual([]);
  });
  test('the fake responds through fetch', async () => {
    const { baseUrl, fetch, keys } = fake;
    const client = new DataQualityClient({ baseUrl, apiKey: keys.readOnly, fetch });
    expect(await client.metrics.summary(fake.assets[0].id)).toHaveProperty('total_metrics', 0);
  });
`;

const node = join(root, 'node_modules/node/bin/node');

function vitest(folder: string): Runner {
  return async ({ project }) => {
    const file = `suite-${folder.split('/').at(-1)}.test.mjs`;
    const globals = "import { afterAll, beforeAll, expect, test } from 'vitest';";
    await writeFile(join(project, file), suite(globals));
    await link(join(folder), join(project, 'node_modules/vitest'));
    const output = await run(node, [join(folder, 'vitest.mjs'), 'run', file], { cwd: project });
    return passed(output);
  };
}

const jest: Runner = async ({ project }) => {
  await writeFile(join(project, 'suite.jest.mjs'), suite(''));
  const config = JSON.stringify({ testMatch: ['**/*.jest.mjs'], transform: {}, rootDir: project });
  const args = ['--experimental-vm-modules', join(here, 'node_modules/jest/bin/jest.js'), '--config', config];
  await run(node, args, { cwd: project });
  return '2 passed';
};

function passed(output: string): string {
  return /Tests\s+(\d+ passed)/.exec(output)?.[1] ?? output;
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path).catch(async () => {
    const { rm } = await import('node:fs/promises');
    await rm(path, { recursive: true, force: true });
    await symlink(target, path);
  });
}

/** Users' own test suites. */
export const suites: Readonly<Record<string, Runner>> = {
  'Vitest 5': vitest(join(root, 'node_modules/vitest')),
  'Vitest 4': vitest(join(here, 'node_modules/vitest-4')),
  'Jest 30': jest,
};
