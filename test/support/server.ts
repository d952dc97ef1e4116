import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it reached the server, its body read. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query, as they were written on the wire. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How the server treats one request. */
export type Behaviour = (response: ServerResponse, request: ReceivedRequest) => void;

/** A server on loopback that misbehaves as it is told. */
export interface MisbehavingServer extends AsyncDisposable {
  readonly url: string;
  readonly host: string;
  /** Every request so far. */
  readonly requests: readonly ReceivedRequest[];
  /** Resolves when as many requests have arrived. */
  received(count: number): Promise<void>;
  /** Resolves when as many connections were closed before their response was complete. */
  abandoned(count: number): Promise<void>;
}

/** Starts a server that treats the first request by the first behaviour, and all beyond the last by the last. */
export async function startServer(...behaviours: readonly Behaviour[]): Promise<MisbehavingServer> {
  const requests: ReceivedRequest[] = [];
  const arrivals = new Count();
  const abandonments = new Count();

  const server = createServer((incoming, response) => {
    response.once('close', () => {
      if (!response.writableFinished) abandonments.increase();
    });
    void answer(incoming, response);
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(incoming);
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body };
    requests.push(request);
    const behave = behaviours[Math.min(requests.length, behaviours.length) - 1];
    behave?.(response, request);
    arrivals.increase();
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    requests,
    received: (count) => arrivals.reaches(count),
    abandoned: (count) => abandonments.reaches(count),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  let body = '';
  incoming.setEncoding('utf8');
  try {
    for await (const chunk of incoming) body += String(chunk);
  } catch {
    // The client has gone; what it sent so far is what was received.
  }
  return body;
}

/** A number that can be waited for. */
class Count {
  #value = 0;
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  increase(): void {
    this.#value++;
    for (const { count, resolve } of this.#waiting) if (count <= this.#value) resolve();
    this.#waiting = this.#waiting.filter(({ count }) => count > this.#value);
  }

  reaches(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#value >= count) resolve();
    else this.#waiting.push({ count, resolve });
    return promise;
  }
}

/** Answers with a status, a body and headers; the body is JSON unless it is a string. */
export function answers(
  status: number,
  body: unknown = {},
  headers: Readonly<Record<string, string>> = {},
): Behaviour {
  return (response) => {
    const type = typeof body === 'string' ? 'text/html' : 'application/json';
    response.writeHead(status, { 'content-type': type, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Answers 200 with `{ data }`. */
export function gives(data: unknown, headers?: Readonly<Record<string, string>>): Behaviour {
  return answers(200, { data }, headers);
}

/** Answers with an error envelope. */
export function fails(
  status: number,
  code: string,
  details: unknown = {},
  headers?: Readonly<Record<string, string>>,
): Behaviour {
  return answers(status, { error: { code, message: `this is ${code}`, details } }, headers);
}

/** Closes the connection hard, with a TCP reset, without a response. */
export const resets: Behaviour = (response) => {
  response.socket?.resetAndDestroy();
};

/** Never responds. */
export const hangs: Behaviour = () => undefined;

/** Sends a status and the beginning of a body, and no more. */
export function stalls(status = 200): Behaviour {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"data": ');
  };
}

/** Promises a longer body than it sends. */
export const truncates: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"data": {"total_rules": 1', () => response.socket?.destroy());
};

/** Sends the client elsewhere. */
export function redirects(location: string, status = 302): Behaviour {
  return answers(status, '', { location });
}
