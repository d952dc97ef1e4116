import { fstatSync } from 'node:fs';

import colors from 'picocolors';

import { printableJson, stripControlCharacters, stripRunnerCommands } from '../printable.ts';

/** Colours for standard output. */
export const stdoutColors = colors.createColors(takesColors(process.stdout));

/** Colours for standard error. */
export const stderrColors = colors.createColors(takesColors(process.stderr));

/** A line of progress on the terminal, which other lines must not run into. */
export interface LiveLine {
  hide(): void;
  show(): void;
}

/** What is shown beside the data; set once, when the flags are read. */
const shown: { quiet: boolean; live: LiveLine | undefined } = { quiet: false, live: undefined };

/** Prints only the data and errors from now on. */
export function beQuiet(): void {
  shown.quiet = true;
}

/** Whether only the data and errors are printed. */
export function isQuiet(): boolean {
  return shown.quiet;
}

/** Names the live line that messages are printed above, or none. */
export function setLiveLine(live: LiveLine | undefined): void {
  shown.live = live;
}

/** Columns of the terminal that standard output is; undefined if it is not one, so that a log is not cut. */
export function terminalWidth(): number | undefined {
  const columns = Number(process.env['COLUMNS']);
  if (Number.isInteger(columns) && columns > 0) return columns;
  return process.stdout.isTTY ? process.stdout.columns : undefined;
}

/** Prints what a command was asked for: the data as JSON, or a text made of it. */
export function print(json: boolean | undefined, data: unknown, text: () => string): void {
  if (json === true) process.stdout.write(`${printableJson(JSON.stringify(data, null, 2))}\n`);
  else writeText(text());
}

/** Prints one entry of several as a line of JSON. */
export function printLine(data: unknown): void {
  process.stdout.write(`${printableJson(JSON.stringify(data))}\n`);
}

/** Prints a text of several lines, which may have colours of ours. */
export function writeText(text: string): void {
  process.stdout.write(
    `${isFile(1) ? text : withoutCommands(text.split('\n').map(keepColors).join('\n'))}\n`,
  );
}

/** Prints on standard error something that is not the data. */
export function message(text: string): void {
  if (!shown.quiet) writeError('', text);
}

/** Prints on standard error why a command failed. */
export function fail(text: string): void {
  writeError(`${stderrColors.red('error:')} `, text);
}

function writeError(prefix: string, text: string): void {
  const lines = text.split('\n').map(stripControlCharacters).join('\n');
  shown.live?.hide();
  process.stderr.write(`${prefix}${withoutCommands(lines)}\n`);
  shown.live?.show();
}

/** A definition that goes into a file stays as it is. */
function isFile(descriptor: number): boolean {
  return fstatSync(descriptor).isFile();
}

/** Beyond a CI runner, a line that begins like a command is a line as any other, a cast in SQL for example. */
function withoutCommands(text: string): string {
  const { GITHUB_ACTIONS, TF_BUILD, TEAMCITY_VERSION } = process.env;
  return [GITHUB_ACTIONS, TF_BUILD, TEAMCITY_VERSION].some(Boolean) ? stripRunnerCommands(text) : text;
}

/** A colour is the only sequence that we print ourselves. */
function keepColors(line: string): string {
  if (!stdoutColors.isColorSupported) return stripControlCharacters(line);
  return line
    .split(/(\p{Cc}\[\d{1,2}m)/u)
    .map((part, at) => (at % 2 === 1 && part.startsWith('\u001b') ? part : stripControlCharacters(part)))
    .join('');
}

/** See https://no-color.org and https://force-color.org. */
function takesColors(stream: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0';
  return stream.isTTY === true && TERM !== 'dumb';
}
