import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { Run } from '../support/dq.ts';
import { dqHere } from '../support/dq-here.ts';
import { type ServedFake, serveFake } from '../support/served-fake.ts';
import { testFolder } from '../support/test-folder.ts';

/** A service in some state, and the code every command below ends with. */
interface Situation {
  readonly name: string;
  readonly code: number;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly arrange?: (served: ServedFake) => Promise<unknown> | void;
}

const goodRule = (served: ServedFake) => served.rule('id');

const badRule = async (served: ServedFake) => {
  const rule = await served.rule('id');
  served.fake.setCheckResult(rule.uuid, { total_rows: 10_000, invalid_count: 25 });
};

const situations: readonly Situation[] = [
  { name: 'all rules pass', code: 0, arrange: goodRule },
  { name: 'a rule fails', code: 1, arrange: badRule },
  {
    name: 'the data is stale',
    code: 1,
    args: ['--freshness'],
    arrange: async (served) => {
      await goodRule(served);
      served.fake.setFreshness('5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01', { status: 'stale' });
    },
  },
  {
    name: 'a metric is anomalous',
    code: 1,
    args: ['--metrics'],
    arrange: async (served) => {
      await goodRule(served);
      served.fake.setMetricValue((await served.metric()).id, { value: 6, is_anomaly: true, status: 'FAIL' });
    },
  },
  { name: 'a wrong flag', code: 2, args: ['--fail-on', 'nothing'] },
  { name: 'an unknown profile', code: 2, args: ['--profile', 'nowhere'] },
  { name: 'no service named', code: 2, env: { DATA_QUALITY_BASE_URL: '' } },
  { name: 'no key', code: 3, env: { DATA_QUALITY_API_KEY: '' } },
  { name: 'an invalid key', code: 3, env: { DATA_QUALITY_API_KEY: 'wrong' } },
  {
    name: 'a key without the scope',
    code: 3,
    env: { DATA_QUALITY_API_KEY: 'fake-read-only' },
    arrange: goodRule,
  },
  { name: 'no such asset', code: 4, args: ['--asset', '5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0aff'] },
  { name: 'no such rule', code: 4, args: ['--rule', 'v_none'], arrange: goodRule },
  {
    name: 'rate limited',
    code: 5,
    arrange: (served) => served.fake.failNext({ status: 429, retryAfter: 3600, times: 100 }),
  },
  { name: 'nothing selected', code: 6 },
  {
    name: 'a rule errs',
    code: 6,
    arrange: async (served) => {
      const rule = await served.rule('id');
      served.fake.setCheckResult(rule.uuid, { error_message: 'no such column' });
    },
  },
  {
    name: 'freshness is unknown',
    code: 6,
    args: ['--freshness'],
    arrange: async (served) => {
      await goodRule(served);
      served.fake.setFreshness('5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01', { status: 'unknown' });
    },
  },
  {
    name: 'the service fails',
    code: 6,
    arrange: (served) => served.fake.failNext({ status: 503, times: 100 }),
  },
  { name: 'the service is away', code: 6, env: { DATA_QUALITY_BASE_URL: 'http://127.0.0.1:1' } },
  {
    name: 'time runs out',
    code: 6,
    args: ['--deadline', '100ms'],
    arrange: async (served) => {
      await goodRule(served);
      served.fake.failNext({ delayMs: 60_000 });
    },
  },
];

const folder = mkdtempSync(join(testFolder, 'dq-outputs-'));

const modes = [
  { mode: 'text', args: [], env: {} },
  { mode: 'json', args: ['--json'], env: {} },
  {
    mode: 'files',
    args: ['-o', `junit=${join(folder, 'junit.xml')}`, '-o', `html=${join(folder, 'gate.html')}`],
    env: {},
  },
  {
    mode: 'GitHub',
    args: [],
    env: { GITHUB_ACTIONS: 'true', CI: 'true', GITHUB_STEP_SUMMARY: join(folder, 'summary.md') },
  },
] as const;

describe.each(situations)('dq gate: $name → $code', ({ code, args = [], env = {}, arrange }) => {
  test.each(modes)('$mode', async (mode) => {
    await using served = await serveFake();
    await arrange?.(served);
    const run = await dqHere(['gate', '--retries', '0', ...args, ...mode.args], {
      env: { ...served.env, ...mode.env, ...env },
    });
    expect(run).toMatchObject({ code });
    expect(verdictCode(run, mode.mode) ?? code).toBe(code);
    expect(run.stdout + run.stderr).not.toContain(served.env.DATA_QUALITY_API_KEY);
  });
});

/** What the verdict itself says, where there is one to read. */
function verdictCode({ stdout }: Run, mode: string): unknown {
  return mode === 'json' && stdout !== ''
    ? (JSON.parse(stdout) as { exitCode: unknown }).exitCode
    : undefined;
}
