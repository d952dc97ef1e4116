import { readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { start } from '../support/dq.ts';
import { assetId, serveFake } from '../support/served-fake.ts';
import { hasTool } from '../support/tool.ts';
import { createProject } from './project.ts';

const root = resolve(import.meta.dirname, '../..');

type Fields = Readonly<Record<string, unknown>>;

/** What of a pipeline a test runs and looks at. */
interface Pipeline {
  /** The commands before and of the gate. */
  readonly gate: readonly string[];
  /** The commands that only run if those did not fail. */
  readonly publish: readonly string[];
  /** The files that the system picks up. */
  readonly files: readonly string[];
}

const readers: Readonly<Record<string, (file: Fields) => Pipeline>> = {
  'gitlab.yml': (file) => {
    const gate = file['data-quality'] as {
      script: string[];
      artifacts: { paths: string[]; reports: { junit: string } };
    };
    const publish = file['publish'] as { script: string[]; needs: string[] };
    expect(publish.needs).toEqual(['data-quality']);
    return {
      gate: gate.script,
      publish: publish.script,
      files: [...gate.artifacts.paths, gate.artifacts.reports.junit],
    };
  },
  'circleci.yml': (file) => {
    type Job = { steps: (string | { run?: string | { command: string } } | Record<string, Fields>)[] };
    const jobs = file['jobs'] as Record<'data-quality' | 'publish', Job>;
    const commands = ({ steps }: Job): string[] =>
      steps.flatMap((step) => {
        if (typeof step === 'string' || !('run' in step)) return [];
        const { run } = step as { run: string | { command: string } };
        return typeof run === 'string' ? run : run.command;
      });
    const stored = jobs['data-quality'].steps.flatMap((step) =>
      typeof step === 'string'
        ? []
        : Object.entries(step).flatMap(([name, value]) =>
            name.startsWith('store_') ? String((value as Fields)['path']) : [],
          ),
    );
    expect(stored).toEqual(['results', 'results/gate.html']);
    return {
      gate: commands(jobs['data-quality']),
      publish: commands(jobs.publish),
      files: [...stored, 'results/data-quality/gate.xml'],
    };
  },
  'azure.yml': (file) => {
    const steps = file['steps'] as {
      script?: string;
      publish?: string;
      inputs?: { testResultsFiles?: string };
    }[];
    const scripts = steps.flatMap(({ script }) => script ?? []);
    return {
      gate: scripts.slice(0, -1),
      publish: scripts.slice(-1),
      files: steps.flatMap(({ publish, inputs }) => publish ?? inputs?.testResultsFiles ?? []),
    };
  },
};

test.each(Object.entries(readers))(
  '%s publishes if the gate is open, and keeps its files if not',
  async (name, read) => {
    const { gate, publish, files } = read(
      parse(await readFile(join(root, 'examples/ci', name), 'utf8')) as Fields,
    );
    await using served = await serveFake();
    const rule = await served.rule('email');
    await served.metric();
    served.fake.setFreshness(assetId, { status: 'fresh', data_age_minutes: 5 });
    const run = async () => {
      const project = await createProject();
      const script = [...gate, ...publish].join('\n');
      const env = { ...project.env, ...served.env, CI: 'true' };
      const { code } = await start('bash', ['-eo', 'pipefail', '-c', script], { cwd: project.folder, env })
        .ended;
      for (const file of files) await stat(join(project.folder, file));
      return { code, calls: await project.calls() };
    };
    expect(await run()).toEqual({ code: 0, calls: ['npm ci', 'published'] });
    served.fake.setCheckResult(rule.uuid, { total_rows: 100, samples: [{ row_id: 3, value: null }] });
    expect(await run()).toEqual({ code: 1, calls: ['npm ci'] });
  },
);

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly files: string;
}

const hooks = parse(await readFile(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as readonly Hook[];
const invalid = 'tables:\n  data.main.orders:\n    rules:\n      - { rule_type: NOT_NUL }\n';

test('the example of pre-commit names hooks that there are, which concern rules files', async () => {
  const text = await readFile(join(root, 'examples/ci/pre-commit-config.yaml'), 'utf8');
  const { repos } = parse(text) as { repos: { hooks: Hook[] }[] };
  expect(repos[0]?.hooks.map(({ id }) => id)).toEqual(hooks.map(({ id }) => id));
  for (const { files } of [...hooks, ...(repos[1]?.hooks ?? [])]) {
    const matching = ['rules.yaml', 'shop/rules.yml', 'orders.rules.json', 'ground-rules.yaml', 'a.yaml'];
    expect(matching.filter((path) => new RegExp(files).test(path))).toEqual(matching.slice(0, 3));
  }
});

test('the hooks of pre-commit refuse invalid rules offline, and a definition that the service lacks', async () => {
  await using served = await serveFake();
  const { folder, env } = await createProject();
  const run = async (id: string, more: Readonly<Record<string, string>> = {}) => {
    const entry = hooks.find((hook) => hook.id === id)?.entry ?? '';
    const options = { cwd: folder, env: { ...env, ...more } };
    return (await start('bash', ['-c', `${entry} rules.yaml`], options).ended).code;
  };
  expect(await run('dq-rules-validate')).toBe(0);
  expect(await run('dq-rules-plan', served.env)).toBe(1);
  await writeFile(join(folder, 'rules.yaml'), invalid);
  expect(await run('dq-rules-validate')).toBe(2);
});

const hasPreCommit = hasTool('pre-commit');

test.skipIf(!hasPreCommit)('pre-commit accepts the hooks, and stops a commit of invalid rules', async () => {
  const { folder, env } = await createProject();
  const run = (program: string, ...args: string[]) =>
    start(program, args, {
      cwd: folder,
      env: { ...env, PRE_COMMIT_HOME: join(folder, '.pre-commit') },
    }).ended;
  const manifest = join(root, '.pre-commit-hooks.yaml');
  expect(await run('pre-commit', 'validate-manifest', manifest)).toMatchObject({ code: 0 });
  const config = join(root, 'examples/ci/pre-commit-config.yaml');
  expect(await run('pre-commit', 'validate-config', config)).toMatchObject({ code: 0 });

  // The same hook with the program of the project, as the package is not published for this test.
  const [validate] = hooks;
  const local = { repos: [{ repo: 'local', hooks: [{ ...validate, language: 'system' }] }] };
  await writeFile(join(folder, '.pre-commit-config.yaml'), JSON.stringify(local));
  await run('git', 'init', '--quiet');
  await run('git', 'add', 'rules.yaml', '.pre-commit-config.yaml');
  expect(await run('pre-commit', 'run')).toMatchObject({ code: 0 });
  await writeFile(join(folder, 'rules.yaml'), invalid);
  await run('git', 'add', 'rules.yaml');
  const refused = await run('pre-commit', 'run');
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stdout).toContain('rules.yaml');
});
