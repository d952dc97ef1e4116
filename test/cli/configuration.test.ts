import { chmodSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { dq } from '../support/dq.ts';
import { dqHere } from '../support/dq-here.ts';
import { assetId, serveFake } from '../support/served-fake.ts';
import { testFolder } from '../support/test-folder.ts';

interface Findings {
  readonly findings: readonly { readonly check: string; readonly status: string; readonly message: string }[];
}

/** A folder to work in and a home, each with a configuration file if it is given. */
function folders({ project, user }: { readonly project?: unknown; readonly user?: unknown }) {
  const cwd = mkdtempSync(join(testFolder, 'dq-project-'));
  const home = mkdtempSync(join(testFolder, 'dq-home-'));
  const file = join(home, 'data-quality', 'config.json');
  mkdirSync(join(home, 'data-quality'));
  if (project !== undefined) writeFileSync(join(cwd, '.data-quality.json'), JSON.stringify(project));
  if (user !== undefined) writeFileSync(file, JSON.stringify(user), { mode: 0o600 });
  return { cwd, file, env: { XDG_CONFIG_HOME: home } };
}

test('a profile of the user sets service, key and asset', async () => {
  await using served = await serveFake();
  await served.rule('id');
  const profile = { base_url: served.url, api_key: served.fake.keys.readWrite, asset: assetId };
  const { cwd, env } = folders({ user: { default_profile: 'work', profiles: { work: profile, empty: {} } } });
  expect(await dqHere(['gate'], { cwd, env })).toMatchObject({ code: 0 });
  expect(await dqHere(['gate', '--profile', 'empty'], { cwd, env })).toMatchObject({ code: 2 });
  const other = await dqHere(['gate'], { cwd, env: { ...env, DATA_QUALITY_PROFILE: 'nope' } });
  expect(other).toMatchObject({ code: 2 });
  expect(other.stderr).toContain('No profile is called nope; there are work, empty.');
});

test('flags come before the environment, the environment before the file', async () => {
  await using served = await serveFake();
  const user = { profiles: { default: { base_url: 'http://127.0.0.1:1', api_key: 'of-the-file' } } };
  const { cwd, env } = folders({ user });
  const sources = async (args: readonly string[], more: Readonly<Record<string, string>>) => {
    const { stdout } = await dqHere(['doctor', '--json', ...args], { cwd, env: { ...env, ...more } });
    return (JSON.parse(stdout) as Findings).findings[0]?.message;
  };
  const environment = { DATA_QUALITY_BASE_URL: served.url, DATA_QUALITY_API_KEY: 'of-the-environment' };
  expect(await sources([], {})).toContain(env.XDG_CONFIG_HOME);
  expect(await sources([], environment)).toContain('DATA_QUALITY_BASE_URL), key from DATA_QUALITY_API_KEY');
  expect(await sources(['--base-url', served.url, '--api-key', 'of-the-flag'], environment)).toContain(
    '--base-url), key from --api-key',
  );
});

test('a file of the working folder does not decide where the key of the user goes', async () => {
  const project = { profiles: { default: { base_url: 'https://elsewhere.example' } } };
  const { cwd, env } = folders({ project });
  const run = await dqHere(['doctor'], { cwd, env: { ...env, DATA_QUALITY_API_KEY: 'a-secret' } });
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain('does not decide where your key is sent');
  expect(run.stderr).not.toContain('a-secret');
});

test('a file of the working folder may name a service of this machine, and the asset', async () => {
  await using served = await serveFake();
  await served.rule('id');
  const { cwd, env } = folders({
    project: { profiles: { default: { base_url: served.url, asset: assetId } } },
  });
  const key = { DATA_QUALITY_API_KEY: served.fake.keys.readWrite };
  expect(await dqHere(['gate'], { cwd, env: { ...env, ...key } })).toMatchObject({ code: 0 });
});

test.each([
  { file: { profile: {} }, names: 'has no field profile' },
  {
    file: { profiles: { default: { api_kee: 'a-secret' } } },
    names: 'profiles.default has no field api_kee (did you mean api_key?)',
  },
  { file: { profiles: { default: { api_key: '' } } }, names: 'profiles.default.api_key must not be empty' },
  { file: { profiles: { default: { api_key: 7 } } }, names: 'profiles.default.api_key must be a text' },
  { file: [], names: 'must be an object' },
])('$names', async ({ file, names }) => {
  const { cwd, env } = folders({ user: file });
  const run = await dqHere(['doctor'], { cwd, env });
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain(names);
  expect(run.stderr).not.toContain('a-secret');
});

test('a file that is not JSON is named, not quoted', async () => {
  const { cwd, env, file } = folders({ user: {} });
  writeFileSync(file, '{ "api_key": a-secret }');
  const run = await dqHere(['doctor'], { cwd, env });
  expect(run).toMatchObject({ code: 2 });
  expect(run.stderr).toContain(`${file} is not JSON`);
  expect(run.stderr).not.toContain('a-secret');
});

test('the doctor works without a key and without an address', async () => {
  await using served = await serveFake();
  const nothing = await dqHere(['doctor', '--json']);
  expect(nothing.code).toBe(2);
  expect(
    (JSON.parse(nothing.stdout) as Findings).findings.map(({ check, status }) => [check, status]),
  ).toEqual([
    ['settings', 'failed'],
    ['node', 'ok'],
    ['service', 'failed'],
    ['key', 'failed'],
  ]);
  const noKey = await dqHere(['doctor'], { env: { DATA_QUALITY_BASE_URL: served.url } });
  expect(noKey.code).toBe(3);
  expect(noKey.stdout).toMatch(/^service +ok +responds with \d+ in/m);
  expect(noKey.stdout).toContain('set DATA_QUALITY_API_KEY');
});

test('a refused connection comes with advice', async () => {
  // A port that was free a moment ago.
  const { url } = await serveFake().then(async (served) => {
    await served[Symbol.asyncDispose]();
    return served;
  });
  for (const env of [{}, { DATA_QUALITY_API_KEY: 'key' }]) {
    // Narrower than what it finds, which is cut on no terminal.
    const run = await dqHere(['doctor'], { env: { DATA_QUALITY_BASE_URL: url, COLUMNS: '60', ...env } });
    expect(run.stdout).toMatch(/Nothing listens there: .* starts one on this machine\.\n/);
    expect(run.stdout.match(/ECONNREFUSED/g)).toHaveLength(1);
  }
});

test('dq auth login does not show the key, and keeps it in a file that only the user can read', async () => {
  await using served = await serveFake();
  const { cwd, env, file } = folders({ user: { profiles: { work: { asset: assetId } } } });
  chmodSync(file, 0o644);
  const key = served.fake.keys.readWrite;
  const args = ['auth', 'login', '--profile', 'work', '--base-url', served.url];
  const run = await dq(args, { cwd, env, input: `${key}\n` });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).not.toContain(key);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    profiles: { work: { asset: assetId, api_key: key, base_url: served.url } },
  });
  expect(await dq(['rules', 'list', '--profile', 'work'], { cwd, env })).toMatchObject({ code: 0 });
  expect(await dq(['auth', 'login'], { cwd, env, input: '\n' })).toMatchObject({ code: 3, stdout: '' });
});

test('the doctor names a key that others can read, and never the key', async () => {
  await using served = await serveFake();
  const profile = { base_url: served.url, api_key: served.fake.keys.readWrite };
  const { cwd, env, file } = folders({ user: { profiles: { default: profile } } });
  chmodSync(file, 0o644);
  const run = await dqHere(['doctor'], { cwd, env });
  expect(run).toMatchObject({ code: 0 });
  expect(run.stdout).toContain(`chmod 600 ${file}`);
  expect(run.stdout + run.stderr).not.toContain(profile.api_key);
});

test('the doctor says which scope the key has', async () => {
  await using served = await serveFake();
  const scope = async (key: string) => {
    const { stdout } = await dqHere(['doctor', '--json', '--api-key', key], { env: served.env });
    return (JSON.parse(stdout) as Findings).findings.find(({ check }) => check === 'scope')?.message;
  };
  expect(await scope(served.fake.keys.readOnly)).toMatch(/^read-only/);
  expect(await scope(served.fake.keys.readWrite)).toBe('read-write or admin');
});

test('reports a key that a header cannot contain, without showing it', async () => {
  await using served = await serveFake();
  const run = await dqHere(['rules', 'list', '--api-key', 'a secret'], { env: served.env });
  expect(run).toMatchObject({ code: 3, stdout: '' });
  expect(run.stderr).not.toContain('a secret');
});
