import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  resolve: { tsconfigPaths: true },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/temporary-folders.ts'],
    // One more than the cores of a small machine: at any time, a file waits for a process or a server.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // `npm run test:coverage`. The command line, its servers and the processes of the engine are tested in processes of
    // their own, which are not counted: a figure for them would say nothing.
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/cli/**', 'src/engines/duckdb/worker.ts', 'src/engines/duckdb/sandbox.ts'],
      reportsDirectory: 'coverage/lines',
      reporter: ['text-summary', 'json-summary'],
      // A test that fails on a busy machine does not take the figures with it.
      reportOnFailure: true,
      thresholds: { lines: 98.5, statements: 97.5, functions: 98, branches: 92 },
    },
    restoreMocks: true,
    unstubEnvs: true,
  },
});
