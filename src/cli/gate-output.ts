import { appendFile } from 'node:fs/promises';

import { InvalidArgumentError, Option } from '@commander-js/extra-typings';

import type { Verdict } from '../gate/index.ts';
import { paintOutcome } from './status.ts';
import { print } from './terminal.ts';
import { standardOutput, writeText } from './text-file.ts';

/** The forms a verdict is written in. */
const outputKinds = ['text', 'json', 'junit', 'github', 'markdown', 'html'] as const;

/** A form a verdict is written in, and where to; `-` is standard output. */
export interface GateOutput {
  readonly kind: (typeof outputKinds)[number];
  readonly path: string;
}

/** Reads one `--output kind=path`, after those before it. */
function readOutput(text: string, before: readonly GateOutput[] = []): readonly GateOutput[] {
  const at = text.indexOf('=');
  const kind = outputKinds.find((known) => known === text.slice(0, at));
  const path = text.slice(at + 1);
  if (kind === undefined || path === '') {
    throw new InvalidArgumentError(`Give kind=path, where kind is one of ${outputKinds.join(', ')}.`);
  }
  return [...before, { kind, path }];
}

/** `--output`, for a verdict in several forms. */
export function outputFlag() {
  return new Option(
    '-o, --output <kind=path>',
    'also write the verdict to a file; repeat it for several, - is standard output',
  )
    .choices(outputKinds.map((kind) => `${kind}=`))
    .argParser(readOutput);
}

/** Writes a verdict in every form asked for, and under GitHub Actions as annotations and step summary too. */
export async function writeOutputs(
  verdict: Verdict,
  outputs: readonly GateOutput[],
  json: boolean | undefined,
): Promise<void> {
  const standard: GateOutput = { kind: json === true ? 'json' : 'text', path: standardOutput };
  const toStandardOutput = !outputs.some(({ path }) => path === standardOutput);
  for (const { kind, path } of toStandardOutput ? [standard, ...outputs] : outputs) {
    const text = await render(verdict, kind, path === standardOutput);
    if (kind === 'text' && path === standardOutput) print(false, undefined, () => text.trimEnd());
    else await writeText(path, text);
  }
  if (process.env['GITHUB_ACTIONS'] === 'true') await tellGitHub(verdict);
}

async function render(verdict: Verdict, kind: GateOutput['kind'], colored: boolean): Promise<string> {
  const rendering = await import('../gate/index.ts');
  switch (kind) {
    case 'text':
      return rendering.renderText(verdict, colored ? paintOutcome : undefined);
    case 'json':
      return rendering.renderJson(verdict);
    case 'junit':
      return rendering.renderJUnit(verdict);
    case 'github':
      return rendering.renderAnnotations(verdict);
    case 'markdown':
      return rendering.renderMarkdown(verdict);
    case 'html':
      return rendering.renderHtml(verdict);
  }
}

async function tellGitHub(verdict: Verdict): Promise<void> {
  const { renderAnnotations, renderStepSummary } = await import('../gate/index.ts');
  // The runner reads annotations from standard error too, where they don't mix with the data.
  process.stderr.write(renderAnnotations(verdict));
  const summary = process.env['GITHUB_STEP_SUMMARY'];
  if (summary !== undefined && summary !== '') await appendFile(summary, renderStepSummary(verdict));
}
