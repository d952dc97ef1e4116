import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

test('the demo stops the bad table and publishes the good ones', { timeout: 120_000 }, async () => {
  const demo = new URL('../../examples/demo.ts', import.meta.url).pathname;
  const { stdout, stderr } = await promisify(execFile)('node', [demo]);

  expect(stderr).toBe('');
  expect(stdout).toContain('Defined 9 rules and 3 metrics.');
  // Counted in the files themselves: one title is null, 16 dates lie ahead of 2026, 382 flights have a twin.
  expect(stdout).toContain('FAIL  warehouse.main.movies  every movie has a title: 1 of 3,201 rows invalid');
  expect(stdout).toContain('row 3053: Title = null');
  expect(stdout).toMatch(
    /FAIL {2}warehouse\.main\.movies {2}no release date lies in the future: \d+ of 3,201/,
  );
  expect(stdout).toContain('no flight is listed twice: 382 of 3,000,000 rows invalid');
  expect(stdout).toContain('row_count in warehouse.main.flights: 3,000,000');
  expect(stdout).toContain('History of "every strike has a date": pass (0 %), pass (0 %), pass (0 %)');
  expect(stdout).toContain('Caught RULE_NOT_FOUND');
  expect(stdout).toContain('Caught RATE_LIMITED');
  expect(stdout).toContain('Published: warehouse.main.birdstrikes.');
  expect(stdout).toContain('Published: warehouse.main.flights.');
  expect(stdout).toContain('Stopped: warehouse.main.movies is not published.');
  expect(stdout).toMatch(/^Report: .+\.html$/m);
});
