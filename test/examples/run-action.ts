import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';

import { parse } from 'yaml';

import { start } from '../support/dq.ts';
import { testFolder } from '../support/test-folder.ts';

type Texts = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, string | boolean>>;

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Fields;
  readonly run?: string;
  readonly env?: Texts;
  readonly shell?: string;
  readonly 'working-directory'?: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const file = resolve(import.meta.dirname, '../../.github/actions/gate/action.yml');

/** The action as the runner reads it. */
export const action = parse(await readFile(file, 'utf8')) as Action;

/** What came of a run of the action. */
export interface ActionRun {
  /** Exit code of the step that failed, else 0. */
  readonly code: number | null;
  readonly outputs: Texts;
  /** What the steps printed. */
  readonly log: string;
  readonly summary: string;
  /** The other actions that were used, with what they were given. */
  readonly used: readonly { readonly uses: string; readonly with: Texts }[];
}

/**
 * Runs the steps of the action one after another in bash, as a runner of GitHub does: with the files that outputs and
 * the summary are written to, and expressions put in for everything except scripts.
 */
export async function runAction(
  given: Texts,
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Texts },
): Promise<ActionRun> {
  const temporary = await mkdtemp(join(testFolder, 'dq-action-'));
  const summary = join(temporary, 'summary.md');
  await writeFile(summary, '');
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? '']);
  const inputs = { ...Object.fromEntries(defaults), ...given } as Texts;
  const steps: Record<string, { readonly outputs: Texts }> = {};
  const used: { uses: string; with: Texts }[] = [];
  let log = '';
  let code: number | null = 0;

  const evaluate = (expression: string): unknown =>
    // In JavaScript a hyphen within a name would be a minus.
    runInContext(expression.replaceAll(/\.(\w+(?:-\w+)+)/g, '["$1"]'), createContext({ inputs, steps }));
  const fill = (text: string): string =>
    text.replaceAll(/\$\{\{(.*?)\}\}/g, (_all, expression: string) => {
      const value = evaluate(expression);
      return typeof value === 'string' ? value : '';
    });
  const fillAll = (texts: Fields = {}): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(String(text))]));

  for (const step of action.runs.steps) {
    // A step that was skipped, or has not run yet, has outputs that are empty.
    if (step.id !== undefined) steps[step.id] = { outputs: {} };
  }
  for (const [index, step] of action.runs.steps.entries()) {
    if (step.if !== undefined && evaluate(step.if) !== true) continue;
    if (step.uses !== undefined) {
      used.push({ uses: step.uses, with: fillAll(step.with) });
      continue;
    }
    const output = join(temporary, `output-${index}`);
    const script = join(temporary, `step-${index}.sh`);
    await writeFile(output, '');
    await writeFile(script, step.run ?? '');
    const run = await start('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: resolve(cwd, fill(step['working-directory'] ?? '.')),
      env: {
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_OUTPUT: output,
        GITHUB_STEP_SUMMARY: summary,
        RUNNER_TEMP: temporary,
        ...env,
        ...fillAll(step.env),
      },
    }).ended;
    log += run.stdout + run.stderr;
    ({ code } = run);
    if (step.id !== undefined) steps[step.id] = { outputs: readOutputs(await readFile(output, 'utf8')) };
    if (code !== 0) break;
  }
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, fill(value)] as const);
  return {
    code,
    outputs: Object.fromEntries(outputs),
    log,
    summary: await readFile(summary, 'utf8'),
    used,
  };
}

function readOutputs(text: string): Texts {
  const lines = text.split('\n').filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}
