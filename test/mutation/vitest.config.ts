import { mergeConfig } from 'vitest/config';

import base from '../vitest.config.ts';

/** Which tests have to notice a mutation of a room: its own, and those of the rooms that stand directly on it. */
const suites: Readonly<Record<string, readonly string[]>> = {
  http: ['http', 'resources', 'options.test.ts'],
  webhooks: ['webhooks'],
  service: ['service', 'testing'],
  gate: ['gate', 'judgement'],
  judgement: ['judgement', 'gate', 'resources'],
  rules: ['rules'],
  resources: ['resources'],
};

const room = process.env['MUTATED_ROOM'] ?? 'judgement';
const include = (suites[room] ?? [room]).map((suite) =>
  suite.endsWith('.ts') ? `test/${suite}` : `test/${suite}/**/*.test.ts`,
);

export default mergeConfig({ ...base, test: { ...base.test, include: [] } }, { test: { include } });
