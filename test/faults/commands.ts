import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { environment, main } from '../support/dq.ts';
import { frame } from './wire-formats.ts';
import type { Instrument, Played } from './instrument.ts';
import { secret } from './promises.ts';
import type { Random } from './random.ts';
import { startRawService } from './raw-service.ts';
import { testFolder } from '../support/test-folder.ts';

const asset = '6f1c2a52-4b1e-4a52-9d6b-2f3a1f0c7e11';

/** What would rewrite a terminal, hide text, or command a continuous integration. */
const hostile = [
  '\u001b[2J\u001b[1;1H',
  '\u001b]0;pwned\u0007',
  '\u001b]52;c;cHduZWQ=\u0007',
  '\u009b2J',
  '\u0085\u008d\u0090',
  '\u202e\u2066\u200f',
  '\r\n::error::pwned',
  '\n::stop-commands::pwned\n',
  '\n##vso[task.setvariable variable=x]pwned',
  '\u0000\u0008\u007f',
  '<img src=x onerror=pwned>',
];

/** Every command that talks to a service; `@` is a folder with a definition and a manifest. */
const commands: readonly (readonly string[])[] = [
  ['gate', '--freshness', '--metrics'],
  ['gate', '--json'],
  ['gate', '-o', 'junit=@/junit.xml'],
  ['rules', 'list'],
  ['rules', 'get', 'v_1'],
  ['rules', 'create', '--type', 'NOT_NULL', '--table', 'a.b.c', '--column', 'id'],
  ['rules', 'check', 'v_1'],
  ['rules', 'check'],
  ['rules', 'results', 'v_1'],
  ['rules', 'delete', 'v_1', '--yes'],
  ['rules', 'plan', '@/rules.yaml'],
  ['rules', 'apply', '@/rules.yaml', '--yes'],
  ['rules', 'export'],
  ['rules', 'import-dbt', '@/manifest.json'],
  ['metrics', 'list'],
  ['metrics', 'create', '--type', 'row_count', '--table', 'a.b.c'],
  ['metrics', 'capture', 'm_1'],
  ['metrics', 'capture'],
  ['metrics', 'snapshots', 'm_1'],
  ['metrics', 'backtest', 'm_1'],
  ['metrics', 'accept', 'm_1'],
  ['freshness', 'get'],
  ['freshness', 'wait', '--for', '100ms'],
  ['lineage', 'upload', '@/manifest.json'],
  ['report', '--output', '@/report.html'],
  ['doctor'],
];

/** A service that sends hostile text in every field and every error, against every command. */
export const cli: Instrument = {
  concurrency: 2,
  start: async () => {
    if (!existsSync(main)) return 'dq is not built';
    const folder = await mkdtemp(join(testFolder, 'dq-faults-'));
    await writeFile(
      join(folder, 'rules.yaml'),
      'tables:\n  a.b.c:\n    rules:\n      - rule_type: NOT_NULL\n        column_name: id\n',
    );
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
    return {
      play: async (index, random) => play(folder, index, random),
      async end() {
        await rm(folder, { recursive: true });
        return [];
      },
    };
  },
};

const text = hostile.join('x');
const model = `model.a.${text}`;

const manifest = {
  metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' },
  nodes: {
    [model]: {
      resource_type: 'model',
      name: text,
      alias: text,
      schema: text,
      database: text,
      depends_on: { nodes: [] },
    },
    'test.a.b': {
      resource_type: 'test',
      name: text,
      attached_node: model,
      column_name: text,
      config: { where: text, severity: text },
      test_metadata: { name: 'not_null', kwargs: { column_name: text } },
      depends_on: { nodes: [model] },
    },
    'test.a.c': {
      resource_type: 'test',
      name: text,
      attached_node: model,
      test_metadata: { name: text, kwargs: {} },
      depends_on: { nodes: [model] },
    },
  },
  sources: {},
};

async function play(folder: string, index: number, random: Random): Promise<Played> {
  const args = commands[index % commands.length] ?? [];
  const service = await startRawService((socket) => socket.end(respond(random)));
  try {
    const inRunner = random.oneIn(2);
    const env = {
      DATA_QUALITY_BASE_URL: `http://127.0.0.1:${service.port}`,
      DATA_QUALITY_API_KEY: secret,
      DATA_QUALITY_ASSET: asset,
      ...(inRunner ? { GITHUB_ACTIONS: 'true', CI: 'true' } : {}),
    };
    const { code, signal, stdout, stderr } = await run(
      args.map((arg) => arg.replace('@', folder)),
      env,
    );
    return {
      kind: args
        .slice(0, args[0] === 'gate' ? 1 : 2)
        .filter((arg) => !arg.startsWith('-'))
        .join(' '),
      problems: [
        ...(code !== null && code >= 0 && code <= 6
          ? []
          : [`ended with ${signal ?? code}: ${stderr.slice(0, 300)}`]),
        ...judge('standard output', stdout, inRunner),
        ...judge('standard error', stderr, inRunner),
      ].map((problem) => `dq ${args.join(' ')}: ${problem}`),
    };
  } finally {
    await service.close();
  }
}

/** Characters that no output may have: controls other than the line break and the tab, and bidirectional overrides. */
// oxlint-disable-next-line no-control-regex
const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

function judge(stream: string, output: string, inRunner: boolean): string[] {
  const problems: string[] = [];
  const found = raw.exec(output);
  if (found !== null) {
    const near = output.slice(Math.max(0, found.index - 60), found.index + 30);
    problems.push(`${stream} has a raw ${JSON.stringify(found[0])} in ${JSON.stringify(near)}`);
  }
  const command = /^[ \t]*(::(?:error|stop-commands)::pwned.*|##vso.*)/m.exec(output);
  if (inRunner && command !== null)
    problems.push(`${stream} has a command of the service: ${JSON.stringify(command[0])}`);
  if (/^\s+at .*:\d+:\d+\)?$/m.test(output)) problems.push(`${stream} has a stack: ${output.slice(0, 500)}`);
  if (output.includes(secret)) problems.push(`${stream} shows the key`);
  return problems;
}

/** Milliseconds after which a command counts as one that does not end. */
const longestRun = 60_000;

async function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [main, ...args], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => (output[name] += chunk));
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), longestRun);
  const { promise, resolve } = Promise.withResolvers<{ code: number | null; signal: string | null }>();
  child.once('close', (code, signal) => resolve({ code, signal }));
  const ended = await promise;
  clearTimeout(timer);
  return { ...ended, ...output };
}

/** A response in which every text is hostile; one in four says that something failed. */
function respond(random: Random): Buffer {
  const odd = () => `${random.pick(['', 'name'])}${random.pick(hostile)}${random.pick(hostile)}`;
  if (random.oneIn(4)) {
    const code = random.pick(['X', 'RULE_NOT_FOUND', 'VALIDATION_ERROR', odd()]);
    const body = { error: { code, message: odd(), details: { field: odd(), required_scope: odd() } } };
    const status = random.pick(['400 X', '401 X', '403 X', '404 X', '409 X', '422 X', '500 X']);
    return Buffer.from(frame(body, 'content-length').toString().replace('200 OK', status));
  }
  const now = '2026-01-01T00:00:00Z';
  const status = random.pick(['pass', 'fail', 'error', 'fresh', 'stale', 'PASS', 'FAIL', odd()]);
  const result = {
    id: 1,
    status,
    error_message: odd(),
    executed_at: random.pick([now, odd()]),
    total_rows: 10,
    invalid_count: 1,
    invalid_percent: 10,
    invalid_samples: { samples: [{ row_id: 1, value: odd() }] },
  };
  const snapshot = {
    id: 1,
    value: 5,
    status,
    group_values: { [odd()]: odd() },
    captured_at: now,
    is_anomaly: random.oneIn(2),
  };
  const definition = {
    id: random.pick([1, 'm_1']),
    uuid: random.pick(['v_1', odd()]),
    name: odd(),
    description: odd(),
    rule_type: random.pick(['NOT_NULL', odd()]),
    metric_type: random.pick(['row_count', odd()]),
    table_path: random.pick(['a.b.c', odd()]),
    column_name: odd(),
    severity: random.pick(['critical', 'warning', odd()]),
    is_active: true,
    latest_result: result,
    created_at: random.pick([now, odd()]),
  };
  const freshness = {
    status,
    age_minutes: 5,
    last_updated: random.pick([now, odd()]),
    reason: odd(),
    expected: odd(),
  };
  const data = {
    ...definition,
    ...result,
    success: true,
    message: odd(),
    snapshots: [snapshot],
    total_rules: 1,
    passing: 1,
    failing: 0,
    error: 0,
    asset: { name: odd(), freshness },
    freshness,
    items: [random.pick([definition, { ...snapshot }, { ...result }])],
    [odd()]: odd(),
  };
  const { error: _, ...rest } = data;
  const body = {
    success: true,
    data: rest,
    message: odd(),
    pagination: { total: 1, limit: 50, offset: 0, has_more: false },
    sync_stats: { nodes_created: 1, [odd()]: odd() },
  };
  return frame(body, 'content-length');
}
