// The running service: configuration, socket, schedules, events, delivery, state.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { encodeProblem, unreadableRequest } from '../service/problem.ts';
import type { Service } from '../service/service.ts';

/** A service that listens. */
export interface Socket {
  /** Base address, such as `http://127.0.0.1:4780`. */
  readonly url: string;
  /** Accepts no further request, lets those under way end within the grace (ms), then cuts them off. */
  close(grace: number): Promise<void>;
}

/** Where to listen. */
export interface Address {
  /** Host name or address. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** The rest of a refused body is read so that its sender gets the response, but no more than this. */
const drained = { bytes: 256 * 1024 * 1024, ms: 60_000 } as const;

/**
 * Listens; rejects with the system's error if the address is not available. Whatever arrives on a connection, the
 * worst that can happen to the process is that this connection ends: `onError` gets what no response reports.
 */
export async function listen(
  service: Service,
  { host, port }: Address,
  onError: (error: unknown) => void,
): Promise<Socket> {
  const server = createServer((incoming, outgoing) => {
    // A connection whose request ends while the server closes would be kept open for another one.
    outgoing.once('close', () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
    respond(service, incoming, outgoing).catch((error: unknown) => {
      // A client that went away is not a failure of the service.
      if (!outgoing.destroyed) onError(error);
      outgoing.destroy();
    });
  });
  // Longer than clients keep an idle connection: one that is closed while a request sets out on it is reset.
  server.keepAliveTimeout = 65_000;
  server.listen(port, host);
  await once(server, 'listening');
  server.on('error', onError);
  // A TCP server has an address with a port, other than one on a pipe.
  const address = server.address() as AddressInfo;
  return { url: baseUrl(address), close: async (grace) => close(server, grace) };
}

/** The address that means all addresses of a machine cannot be connected to on every system; loopback can. */
function baseUrl({ address, family, port }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return `http://127.0.0.1:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

async function close(server: Server, grace: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), grace);
  await closed;
  clearTimeout(timer);
}

async function respond(service: Service, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  outgoing.on('error', () => undefined);
  const left = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort();
  });
  const request = toRequest(incoming, left.signal);
  const response = request === undefined ? encodeProblem(unreadableRequest()) : await service(request);
  if (response.body !== null && response.headers.get('Content-Type') === 'text/event-stream') {
    await stream(response, response.body, outgoing);
    return;
  }
  const body = Buffer.from(await response.arrayBuffer());
  const headers = { ...Object.fromEntries(response.headers), 'Content-Length': body.byteLength };
  if (incoming.complete || incoming.destroyed) {
    outgoing.writeHead(response.status, headers).end(body);
    return;
  }
  // What was not read of a refused body would be taken for the next request. Ending the response now would reset the
  // connection under its sender, who would see a broken pipe and never the response.
  outgoing.writeHead(response.status, { ...headers, Connection: 'close' }).write(body);
  await drain(incoming);
  outgoing.end();
}

/** Sends what comes when it comes, until the client goes away. */
async function stream(
  response: Response,
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
): Promise<void> {
  const reader = body.getReader();
  outgoing.once('close', () => void reader.cancel().catch(() => undefined));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    // What a client does not read is small and rare: it waits in the buffer until the connection ends.
    outgoing.write(next.value);
  }
  outgoing.end();
}

/** Reads on, within bounds, what nobody wants. */
async function drain(incoming: IncomingMessage): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let read = 0;
  incoming.on('data', (chunk: Buffer) => {
    read += chunk.byteLength;
    if (read > drained.bytes) resolve();
  });
  const timer = setTimeout(resolve, drained.ms);
  incoming.once('end', resolve).once('close', resolve).resume();
  await promise;
  clearTimeout(timer);
}

/** `undefined` for what cannot be a request: TRACE, an address with credentials, a target that is neither path nor address. */
function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '/' } = incoming;
  // A path that begins with two slashes is not a host.
  const address = url.startsWith('/') ? `http://localhost${url}` : url;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  try {
    const headers = new Headers();
    for (const [name, values] of Object.entries(incoming.headersDistinct)) {
      for (const value of values ?? []) headers.append(name, value);
    }
    return new Request(address, {
      method,
      headers,
      signal,
      ...(hasBody ? { body: bodyOf(incoming), duplex: 'half' } : {}),
    });
  } catch {
    // `Request` and `Headers` refuse more than Node's parser does, and whatever they refuse is the client's mistake.
    return undefined;
  }
}

/** Unlike `Readable.toWeb`, it leaves the connection open when its reader has had enough. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  incoming.on('error', () => undefined);
  return ReadableStream.from<Uint8Array>(incoming.iterator({ destroyOnReturn: false }));
}
