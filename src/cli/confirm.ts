import { CliError } from './cli-error.ts';
import { exitCode } from '../judgement/exit-code.ts';
import { readLine } from './read-line.ts';

/** Asks on a terminal before something is lost, and ends the command unless the reply is yes. A script is not asked. */
export async function confirm(
  question: string,
  yes: boolean | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (yes === true || !process.stdin.isTTY || !process.stderr.isTTY) return;
  const reply = await readLine(`${question} [y/N] `, { signal });
  if (/^y(es)?$/i.test(reply?.trim() ?? '')) return;
  throw new CliError(exitCode.usage, 'Nothing was changed.');
}
