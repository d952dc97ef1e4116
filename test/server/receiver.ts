import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { AlertPayload } from 'data-quality-client/webhooks';

/** A request that came in. */
export interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly alert: AlertPayload;
}

/** A receiver of alerts on loopback that responds as a test sets it. */
export async function receive(port = 0) {
  const received: Received[] = [];
  const answering = {
    answer: (_request: Received, response: ServerResponse): void => {
      response.writeHead(204).end();
    },
  };
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => undefined);
    outgoing.on('error', () => undefined);
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const request = { headers: incoming.headers, text, alert: JSON.parse(text) as AlertPayload };
      received.push(request);
      answering.answer(request, outgoing);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}/alerts`,
    port: address.port,
    received,
    answering,
    /** Names of the tables whose schema changed. */
    tables: () =>
      new Set(
        received.flatMap(({ alert: { event } }) =>
          event?.type === 'schema_change' ? [event.asset?.qualified_name] : [],
        ),
      ),
    [Symbol.asyncDispose]: async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      await promise;
    },
  };
}

/** Answers 200, and a body as large as it is let. */
export function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(1024 * 1024);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  response.writeHead(200);
  more();
}

/** Answers 500, and a body that never ends. */
export function dribble(response: ServerResponse): void {
  response.writeHead(500);
  const timer = setInterval(() => response.write('.'), 50);
  response.once('close', () => clearInterval(timer));
}
