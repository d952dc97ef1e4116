import { execFile, spawn } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { createFakeService } from 'data-quality-client/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readConfigFile } from '../../src/cli/config-file.ts';
import { readConfiguration } from '../../src/server/configuration.ts';
import { dq, environment, main, startDq } from '../support/dq.ts';
import { isRedisInstalled, startRedis } from '../support/redis-server.ts';
import { assetId, serveFake } from '../support/served-fake.ts';
import { type InstalledTarball, installTarball } from '../support/tarball.ts';
import { type Example, examples, readme } from './read-examples.ts';
import { testFolder } from '../support/test-folder.ts';

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const programs = examples.filter(({ language }) => language === 'ts');
const peers = ['@duckdb', '@opentelemetry', '@types/node', 'undici-types', 'msw', 'vitest', 'ioredis'];

let subject: InstalledTarball;
let parent: string;
beforeAll(async () => {
  subject = await installTarball(peers);
  parent = await mkdtemp(join(testFolder, 'dq-readme-'));
  await writeFile(join(subject.project, 'package.json'), '{ "type": "module" }');
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023'],
    types: ['node'],
    module: 'nodenext',
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    erasableSyntaxOnly: true,
    exactOptionalPropertyTypes: true,
    isolatedModules: true,
    noImplicitOverride: true,
    noImplicitReturns: true,
    noPropertyAccessFromIndexSignature: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    verbatimModuleSyntax: true,
  };
  await writeFile(
    join(subject.project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.ts'] }),
  );
  for (const program of programs) await writeFile(fileOf(program), program.code);
});
afterAll(async () => {
  await subject[Symbol.asyncDispose]();
  await rm(parent, { recursive: true, force: true });
});

function fileOf({ line, setting }: Example): string {
  return join(subject.project, `line-${line}${setting === 'vitest' ? '.test' : ''}.ts`);
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

interface Started {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd: string;
}

async function run(command: string, args: readonly string[], { env = {}, cwd }: Started): Promise<Ended> {
  const child = spawn(command, args, { env: environment(env), cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const { promise, resolve: end } = Promise.withResolvers<number | null>();
  child.on('close', end);
  return { code: await promise, output };
}

/** How the README promises that a run ends. */
function promisedBy({ exitCode, prints = '' }: Example): unknown {
  return { code: exitCode, output: expect.stringContaining(prints) };
}

/** A folder of its own, in which the packages of the project are found. */
async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(parent, 'run-'));
  await symlink(join(subject.project, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

const orders = 'id,email,amount\n1,ada@example.com,20\n';

/** A service with an active rule that passes, a metric, fresh data and the files that the examples read. */
async function prepare() {
  const served = await serveFake();
  const { fake, client } = served;
  const table_path = 'data.main.orders';
  await client.validity.create(assetId, {
    rule_type: 'UNIQUE',
    table_path,
    column_name: 'id',
    name: 'ids are unique',
  });
  await client.metrics.create(assetId, { metric_type: 'avg_value', table_path, column_name: 'amount' });
  fake.setFreshness(assetId, { status: 'fresh', data_age_minutes: 10 });
  const cwd = await createFolder();
  await mkdir(join(cwd, 'target'));
  await copyFile(join(root, 'examples/manifest.json'), join(cwd, 'target/manifest.json'));
  await writeFile(join(cwd, 'rules.yaml'), codeOf('file rules.yaml'));
  await mkdir(join(cwd, 'data'));
  await writeFile(join(cwd, 'data/orders.csv'), orders);
  return { ...served, cwd };
}

const settings: Readonly<Record<string, (example: Example) => Promise<Ended>>> = {
  async service(example) {
    await using service = await prepare();
    return await run(process.execPath, [fileOf(example)], service);
  },

  async 'service with alerts'(example) {
    await using service = await prepare();
    service.fake.failNext({ on: 'GET /api/v1/alerts/a1', body: '{"data":{"id":"a1"}}' });
    service.fake.failNext({
      on: 'GET /api/v1/alerts',
      body: '{"data":[{"id":"a1"}],"pagination":{"total":1,"limit":50,"offset":0,"has_more":false}}',
    });
    return await run(process.execPath, [fileOf(example)], service);
  },

  async redis(example) {
    const redis = await startRedis();
    try {
      await using service = await prepare();
      const env = { ...service.env, REDIS_URL: `redis://127.0.0.1:${redis.port}` };
      return await run(process.execPath, [fileOf(example)], { ...service, env });
    } finally {
      await redis.stop();
    }
  },

  async local(example) {
    await using service = await prepare();
    return await run(process.execPath, [fileOf(example)], { cwd: service.cwd });
  },

  async vitest(example) {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', '--root', subject.project, fileOf(example)];
    return await run(process.execPath, args, { cwd: subject.project });
  },

  async receiver(example) {
    const secret = 'shared-with-the-receiver';
    const env = environment({ DATA_QUALITY_WEBHOOK_SECRET: secret, PORT: '0' });
    const child = spawn(process.execPath, [fileOf(example)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      let output = '';
      const { promise: listening, resolve: listen } = Promise.withResolvers<string>();
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const port = /port: (\d+)/.exec(output)?.[1];
        if (port !== undefined) listen(port);
      });
      const url = `http://127.0.0.1:${await listening}/`;
      const alert = { event: { type: 'schema_change', asset: { qualified_name: 'shop.sales.orders' } } };
      const delivery = await createFakeService().signedAlert(alert, secret);
      const { status } = await fetch(url, {
        method: 'POST',
        headers: delivery.headers,
        body: await delivery.text(),
      });
      return { code: status === 200 ? 0 : status, output };
    } finally {
      child.kill('SIGKILL');
    }
  },
};

describe('the TypeScript of the README', () => {
  test('compiles under the strictest flags, each block alone', async () => {
    const tsc = join(root, 'node_modules/.bin/tsc');
    const { stdout } = await execute(tsc, ['--project', subject.project]).catch(
      (error: unknown) => error as { readonly stdout: string },
    );
    expect(stdout).toBe('');
  });

  const possible = programs.filter(({ setting }) => setting !== 'redis' || isRedisInstalled);

  test.each(possible)('runs as it is: line $line, with $setting', async (example) => {
    const runExample = settings[example.setting];
    if (runExample === undefined) throw new Error(`no setting is called "${example.setting}"`);
    expect(await runExample(example)).toEqual(promisedBy(example));
  });
});

function codeOf(wanted: string): string {
  return examples.find(({ setting }) => setting === wanted)?.code ?? '';
}

describe('the files of the README', () => {
  test.each(['destinations', 'freshness'])('configure the local service: %s', async (setting) => {
    const folder = await createFolder();
    await writeFile(join(folder, 'dq.json'), codeOf(setting));
    const { assets = [], destinations = [] } = await readConfiguration(folder);
    expect([...assets, ...destinations]).toHaveLength(1);
  });

  test('hold a profile of dq', async () => {
    const path = join(await createFolder(), 'config.json');
    await writeFile(path, codeOf('profile'), { mode: 0o600 });
    expect(await readConfigFile(path)).toMatchObject({ default_profile: 'work', profiles: { work: {} } });
  });
});

describe('the quick start of the README', () => {
  const steps = examples.filter(({ setting }) => setting.startsWith('quick start'));

  test(
    'leads from a file to a verdict, and from there to the local service',
    { timeout: 60_000 },
    async () => {
      expect(steps.length).toBeGreaterThanOrEqual(4);
      const cwd = await createFolder();
      // npx would install the packages named by -p, which is what installTarball has done.
      const npx = join(cwd, 'npx');
      await writeFile(
        npx,
        `#!/bin/sh\nwhile [ "$1" = -p ]; do shift 2; done\nshift\nexec '${process.execPath}' '${main}' "$@"\n`,
      );
      await chmod(npx, 0o755);
      const env = { PATH: `${cwd}${delimiter}${process.env['PATH'] ?? ''}` };
      const serve = steps.findIndex(({ setting }) => setting === 'quick start: serve');
      for (const step of steps.slice(0, serve)) {
        expect(await run('sh', ['-c', step.code], { cwd, env })).toEqual(promisedBy(step));
      }

      const [, folder = ''] = /dq serve (\S+)/.exec(steps[serve]?.code ?? '') ?? [];
      const service = startDq(['serve', folder, '--port', '0'], { cwd });
      try {
        const [, exported = ''] = /export (.*)/.exec(await service.says('Ctrl-C')) ?? [];
        const pasted = Object.fromEntries(
          [...exported.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
        );
        for (const step of steps.slice(serve + 1)) {
          const ended = await run('sh', ['-c', step.code], { cwd, env: { ...env, ...pasted } });
          expect(ended).toEqual(promisedBy(step));
        }
        expect(await readFile(join(cwd, 'report.html'), 'utf8')).toContain('<html');
      } finally {
        service.interrupt();
        await service.ended;
      }
    },
  );
});

/** The commands that the help of a group lists, or that of `dq` itself. */
async function commandsOf(...path: string[]): Promise<string[]> {
  const { stdout } = await dq([...path, '--help']);
  const [, list = ''] = /^Commands:\n((?: +.*\n)+)/m.exec(stdout) ?? [];
  return [...list.matchAll(/^ {2}([a-z-]+)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');
}

describe('the commands of the README', () => {
  const commands = examples
    .filter(({ language }) => ['sh', 'yaml'].includes(language))
    .flatMap(({ code }) => code.split('\n'))
    .flatMap((line) =>
      [...line.matchAll(/(?:npx|-p \S+) dq ([^#&|]+)/g)].map(([, words = '']) => words.trim()),
    );

  test.each([...new Set(commands)])('dq %s has these options', async (command) => {
    const words = command.split(/\s+/);
    const flag = words.findIndex((word) => word.startsWith('-'));
    const names = words.slice(0, flag === -1 ? words.length : flag).filter((word) => /^[a-z-]+$/.test(word));
    const { code, stdout } = await dq([...names.slice(0, 2), '--help']);
    expect(code).toBe(0);
    for (const option of words.filter((word) => word.startsWith('--'))) expect(stdout).toContain(option);
  });

  test('have a row in the table of commands', async () => {
    const rows = readme.split('\n').filter((line) => line.startsWith('| `dq '));
    const isListed = (command: string) => {
      const words = command.split(' ');
      const group = words.length === 1 ? '`dq ' : `\`dq ${words[0]} `;
      return rows.some(
        (row) =>
          row.includes(`\`dq ${command}\``) || (row.includes(group) && row.includes(`, \`${words.at(-1)}\``)),
      );
    };
    const top = await commandsOf();
    const groups = await Promise.all(
      top.map(async (name) => {
        const inner = await commandsOf(name);
        return inner.length === 0 ? [name] : inner.map((command) => `${name} ${command}`);
      }),
    );
    expect(groups.flat().length).toBeGreaterThan(30);
    expect(groups.flat().filter((command) => !isListed(command))).toEqual([]);
  });
});
