import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

test(
  'the demo stops the bad tables, publishes the good ones and receives the alerts',
  { timeout: 120_000 },
  async () => {
    const demo = new URL('../../examples/demo.ts', import.meta.url).pathname;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [demo]);

    expect(stderr).toBe('');
    expect(stdout).toContain('Replayed 60 trading days');
    expect(stdout).toContain('11 to create, 0 to update, 0 to replace, 0 to delete, 5 unchanged.');
    // Counted in the files themselves: one title is null, 16 dates lie ahead of 2026, 382 flights have a twin.
    expect(stdout).toMatch(/^failed .*every movie has a title +1 of 3,201 rows is invalid/m);
    expect(stdout).toContain('row 3053: null');
    expect(stdout).toMatch(/^failed .*no release date lies in the future +\d+ of 3,201 rows are invalid/m);
    expect(stdout).toMatch(/^passed .*no flight is listed twice +382 of 3,000,000 rows are invalid/m);
    // The day the exchanges opened again: more shares changed hands than on any of the sixty days before.
    expect(stdout).toMatch(/^failed .*trading\.volume .*2,330,830,000 is an anomaly/m);
    expect(stdout).toMatch(/^passed +warehouse +freshness/m);
    expect(stdout).toContain('Caught RULE_NOT_FOUND');
    expect(stdout).toContain('Caught RATE_LIMITED');
    expect(stdout).toContain('Published: warehouse.main.birdstrikes.');
    expect(stdout).toContain('Published: warehouse.main.flights.');
    expect(stdout).toContain('Stopped: warehouse.main.movies is not published.');
    expect(stdout).toContain('Stopped: warehouse.main.trading is not published.');
    expect(stdout).toContain('Alert received: metric_anomaly on warehouse.main.trading');
    expect(stdout).toContain('Alert received: validity_failure on warehouse.main.movies');
    expect(stdout).toMatch(/^Report: .+\.html$/m);
  },
);
