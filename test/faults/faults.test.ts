import { describe, expect, test } from 'vitest';

import { play } from './instrument.ts';
import { instruments } from './instruments.ts';

/** Of every run, so that a failure repeats; `npm run test:faults` takes other seeds and many more cases. */
const seed = 20_260_301;

/** Cases of each instrument: some seconds together. */
const cases: Readonly<Record<string, number>> = {
  network: 300,
  tls: 60,
  http: 66,
  json: 60,
  socket: 1000,
  folder: 30,
  kills: 1,
  cluster: 1,
  // Each is a process: the first commands stand for the others.
  cli: 6,
};

describe('no promise is broken by', () => {
  test.each(Object.entries(instruments))('%s', { timeout: 120_000 }, async (name, instrument) => {
    const plan = { seed, first: 0, cases: cases[name] ?? 0, ms: Infinity };
    const { problems, skipped, counts } = await play(instrument, plan);
    expect(problems).toEqual([]);
    expect(counts.size > 0 || skipped !== undefined).toBe(true);
  });
});
