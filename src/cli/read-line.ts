import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** How a line is read. */
export interface ReadLineOptions {
  /** Whether a terminal does not show what is typed. */
  readonly hidden?: boolean;
  readonly signal: AbortSignal;
}

/** Reads the first line of standard input, after a prompt if that is a terminal; `undefined` if there is none. */
export async function readLine(
  prompt: string,
  { hidden = false, signal }: ReadLineOptions,
): Promise<string | undefined> {
  const isTerminal = process.stdin.isTTY;
  // What readline would show of the typing goes nowhere.
  const output = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr;
  const lines = createInterface({ input: process.stdin, output, terminal: isTerminal, prompt });
  const interrupted = (): void => lines.close();
  signal.addEventListener('abort', interrupted, { once: true });
  // In raw mode, Ctrl-C is a key like any other.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  // Only now: before readline has the terminal, that one would show what is typed.
  if (isTerminal && hidden) process.stderr.write(prompt);
  else if (isTerminal) lines.prompt();
  try {
    for await (const line of lines) return line;
    signal.throwIfAborted();
    return undefined;
  } finally {
    signal.removeEventListener('abort', interrupted);
    lines.close();
    if (isTerminal && hidden) process.stderr.write('\n');
  }
}
