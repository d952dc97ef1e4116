import { readFileSync } from 'node:fs';

/** A block of code in the README. */
export interface Example {
  /** The language after the fence. */
  readonly language: string;
  readonly code: string;
  /** The line of the README on which the code begins. */
  readonly line: number;
  /** What the code needs around it, from the line of its fence; empty without one. */
  readonly setting: string;
  /** The code it exits with. */
  readonly exitCode: number;
  /** What it prints among other things. */
  readonly prints: string | undefined;
}

export const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

const block = /^```(?<language>\w+)(?: example: (?<promise>[^\n]*))?\n(?<code>[^]*?)^```$/gm;
const expectation = /^(?<setting>.*?)(?: exits with (?<exitCode>\d+))?(?: (?:and )?prints "(?<prints>.*)")?$/;

/**
 * Reads the blocks of the README. What follows the language of a block, which no page shows, names what it runs in,
 * and what comes of it: `example: service prints "pass"`.
 */
export const examples: readonly Example[] = [...readme.matchAll(block)].map((found) => {
  const { promise = '', language = '', code = '' } = found.groups ?? {};
  const { setting = '', exitCode = '0', prints } = expectation.exec(promise)?.groups ?? {};
  const line = readme.slice(0, found.index).split('\n').length + 1;
  return { language, code, line, setting, exitCode: Number(exitCode), prints };
});
