import type { ExitCode } from '../judgement/exit-code.ts';

/** Ends a command with a message and an exit code. */
export class CliError extends Error {
  override readonly name = 'CliError' as const;
  readonly exitCode: ExitCode;

  constructor(code: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = code;
  }
}
