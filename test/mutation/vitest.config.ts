import { mergeConfig } from 'vitest/config';

import base from '../vitest.config.ts';

/** The tests that have to notice a mutation of a room, where its own do not say everything that is asked of it. */
const suites: Readonly<Record<string, readonly string[]>> = {
  http: ['http', 'resources', 'options.test.ts'],
  gate: ['gate', 'judgement'],
  judgement: ['judgement', 'gate', 'resources'],
};

/** Left out, as they would run for every mutant: tests of many random cases, of bundles, and of other processes. */
const exclude = [
  'gate/property',
  'http/pacing/pacing-redis',
  'rules/convergence',
  'webhooks/at-least-once',
  'webhooks/bundle',
  'webhooks/examples',
].map((test) => `test/${test}.test.ts`);

const room = process.env['MUTATED_ROOM'] ?? 'judgement';
const include = (suites[room] ?? [room]).map((suite) =>
  suite.endsWith('.ts') ? `test/${suite}` : `test/${suite}/**/*.test.ts`,
);

export default mergeConfig({ ...base, test: { ...base.test, include: [] } }, { test: { include, exclude } });
