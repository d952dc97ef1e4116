import colors from 'picocolors';

/** Colours for standard output. */
export const stdoutColors = colors.createColors(takesColors(process.stdout));

/** Colours for standard error. */
export const stderrColors = colors.createColors(takesColors(process.stderr));

/** Prints what a command was asked for: the data as JSON, or a text made of it. */
export function print(json: boolean | undefined, data: unknown, text: () => string): void {
  process.stdout.write(`${json === true ? JSON.stringify(data, null, 2) : text()}\n`);
}

/** Tells something that is not the data. */
export function message(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** See https://no-color.org and https://force-color.org. */
function takesColors(stream: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0';
  return stream.isTTY === true && TERM !== 'dumb';
}
