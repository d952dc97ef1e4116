import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Reads one line from the terminal without showing what is typed, or the first line of standard input. */
export async function readSecret(prompt: string, signal: AbortSignal): Promise<string> {
  const isTerminal = process.stdin.isTTY;
  if (isTerminal) process.stderr.write(prompt);
  // What readline would show of the typing goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: isTerminal });
  const interrupted = (): void => lines.close();
  signal.addEventListener('abort', interrupted, { once: true });
  // In raw mode, Ctrl-C is a key like any other.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    for await (const line of lines) return line;
    signal.throwIfAborted();
    return '';
  } finally {
    signal.removeEventListener('abort', interrupted);
    lines.close();
    if (isTerminal) process.stderr.write('\n');
  }
}
