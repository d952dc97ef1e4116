import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.doUnmock('@duckdb/node-api');
  vi.resetModules();
});

/** Loads DuckDB if the installed package is of this version. */
async function load(version: string): Promise<unknown> {
  vi.doMock('@duckdb/node-api', () => ({ version: () => version }));
  vi.resetModules();
  const { loadDuckDB } = await import('../../../src/engines/duckdb/duckdb.ts');
  return loadDuckDB();
}

test.each(['v1.5.3', 'v1.4.4', 'v0.10.5'])(
  '%s is refused, naming the oldest version that works',
  async (version) => {
    await expect(load(version)).rejects.toThrow(
      expect.objectContaining({
        code: 'CONFIGURATION',
        message: `The local service needs DuckDB 1.5.4 or later, not ${version}: npm install @duckdb/node-api@latest`,
      }),
    );
  },
);

test.each(['v1.5.4', 'v1.5.10', 'v1.10.0', 'v2.0.0', 'v1.6.0-dev12'])('%s is accepted', async (version) => {
  expect(await load(version)).toHaveProperty('version');
});

test('a missing package is named with the command that installs it', async () => {
  vi.doMock('@duckdb/node-api', () => {
    throw new Error('Cannot find package');
  });
  vi.resetModules();
  const { loadDuckDB } = await import('../../../src/engines/duckdb/duckdb.ts');
  await expect(loadDuckDB()).rejects.toThrow('npm install @duckdb/node-api');
});
