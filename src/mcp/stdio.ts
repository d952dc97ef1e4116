import { once } from 'node:events';
import type { Readable } from 'node:stream';

import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

/** What standard input and output are used for. */
export interface StdioOptions {
  /** Where messages come from; the connection ends with it. */
  readonly input: Readable;
  /** Ends the connection. */
  readonly signal: AbortSignal;
  /** Called with what no response reports. */
  readonly onError: (error: unknown) => void;
}

/** Serves one connection over standard input and output, until either side ends it. */
export async function serveOverStdio(
  create: () => McpServer,
  { input, signal, onError }: StdioOptions,
): Promise<void> {
  const ended = Promise.race([once(input, 'end'), once(input, 'close'), once(signal, 'abort')]);
  const connection = serveStdio(create, { onerror: onError });
  await ended;
  await connection.close();
}
