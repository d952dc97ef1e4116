import { mergeConfig } from 'vitest/config';

import base from '../vitest.config.ts';

/** The tests that have to notice a mutation of a room, where its own do not say everything that is asked of it. */
const suites: Readonly<Record<string, readonly string[]>> = {
  http: ['http', 'resources', 'options.test.ts'],
  gate: ['gate', 'judgement'],
  judgement: ['judgement', 'gate', 'resources'],
};

/** Left out, as they run for every mutant: many random cases, bundles, processes, megabytes, and a suite a second time. */
const exclude = [
  'gate/junit-property',
  'gate/property',
  'http/pacing/pacing-copies',
  'http/pacing/pacing-redis',
  'http/paging/arbitrary-lists',
  'rules/convergence',
  'service/conformance-mounted',
  'service/manifest-size',
  'webhooks/at-least-once',
  'webhooks/bundle',
  'webhooks/examples',
].map((test) => `test/${test}.test.ts`);

const room = process.env['MUTATED_ROOM'] ?? 'judgement';
const include = (suites[room] ?? [room]).map((suite) =>
  suite.endsWith('.ts') ? `test/${suite}` : `test/${suite}/**/*.test.ts`,
);

/** Random cases as well: of each, a few have to do for a mutant. */
const fewRandomCases = {
  name: 'few-random-cases',
  transform: (code: string, file: string) =>
    file.endsWith('.test.ts') ? code.replaceAll(/numRuns: \d+/g, 'numRuns: 20') : undefined,
};

export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  {
    plugins: [fewRandomCases],
    // One process for all test files of a mutant: most of the time of a mutant is loading the same modules again.
    test: { include, exclude, isolate: false },
  },
);
