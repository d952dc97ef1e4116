import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import tab from '@bomb.sh/tab/commander';

/** Answers the completion scripts: prints what can follow the words after `--`. */
export function complete(program: CommandUnknownOpts, argv: readonly string[]): void {
  // The two types describe the same class of commander.
  const completion = tab(program as unknown as Parameters<typeof tab>[0]);
  completion.parse(argv.slice(argv.indexOf('--') + 1));
}
