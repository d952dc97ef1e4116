import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';

import { exitCode, type ProcessExitCode, worstCode } from '../judgement/exit-code.ts';
import { createProgram } from './program.ts';
import { Session } from './session.ts';
import { fail, message } from './terminal.ts';

/** Runs `dq` with the words of a command line and returns what the process exits with. */
export async function run(argv: readonly string[]): Promise<ProcessExitCode> {
  const session = new Session();
  const stopListening = endAtInterrupt(session);
  ignoreClosedPipe(session);
  try {
    if (argv[0] === 'complete') {
      const { complete } = await import('./complete.ts');
      complete(await createProgram(session, argv), argv);
      return exitCode.done;
    }
    // `dq help rules check` is `dq rules check --help`: only there are the options known.
    const words = argv[0] === 'help' && argv.length > 1 ? [...argv.slice(1), '--help'] : argv;
    const program = await createProgram(session, words);
    await program.parseAsync(withoutHelpOfNothing(program, words), { from: 'user' });
    return session.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage;
    if (session.signal.aborted) {
      message(`Interrupted: ${session.progress}.`);
      return exitCode.interrupted;
    }
    const { describeFailure, exitCodeOf } = await import('./failure.ts');
    fail(describeFailure(error));
    return worstCode([session.exitCode, exitCodeOf(error)]);
  } finally {
    stopListening();
  }
}

/** Help that is asked for a command that does not exist would be that of the command above it, and hide the typo. */
function withoutHelpOfNothing(program: CommandUnknownOpts, words: readonly string[]): readonly string[] {
  let command = program;
  for (const [at, word] of words.entries()) {
    if (word.startsWith('-') || word === 'help' || command.commands.length === 0) return words;
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) return words.slice(0, at + 1);
    command = next;
  }
  return words;
}

/** The first Ctrl-C ends what is under way; a second one, or work that can't be ended, ends the process. */
function endAtInterrupt(session: Session): () => void {
  const interrupt = (): void => {
    if (session.signal.aborted) process.exit(exitCode.interrupted);
    session.interrupt();
    setTimeout(() => {
      message(`Interrupted: ${session.progress}.`);
      process.exit(exitCode.interrupted);
    }, session.graceMs).unref();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return () => {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  };
}

/** `dq rules list | head` closes the pipe early, which is not a failure; what was found until then still counts. */
function ignoreClosedPipe(session: Session): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(session.exitCode);
    throw error;
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
