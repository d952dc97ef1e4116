/** Adds the place that called to the stack of an error. */
export type AddCaller = (error: unknown) => void;

/**
 * Remembers who called a method that makes requests ahead of its caller: engines follow an error to whoever awaits it,
 * which is nobody then. `below` is the innermost function to leave out. A single call does without: a stack costs a
 * quarter of its time.
 */
export function captureCaller(below: (...args: never[]) => unknown): AddCaller {
  const captured: { stack: string } = { stack: '' };
  // Only V8 has it, although the types promise it everywhere.
  const { captureStackTrace } = Error as Partial<ErrorConstructor>;
  if (captureStackTrace === undefined) captured.stack = String(new Error('called').stack);
  else captureStackTrace(captured, below);
  return (error) => {
    if (!(error instanceof Error) || typeof error.stack !== 'string') return;
    // The first line of V8 is the message of the error, which this is not.
    const frames = captured.stack.split('\n').filter((line) => /^\s+at |@/.test(line));
    const missing = frames.filter((frame) => !error.stack?.includes(frame));
    error.stack += missing.map((frame) => `\n${frame}`).join('');
  };
}
