import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

import type { Service } from '../service/service.ts';

/** A service that listens. */
export interface Socket {
  /** Base address, such as `http://127.0.0.1:4780`. */
  readonly url: string;
  /** Takes no new request, lets those that run end within the grace, in ms, then cuts them off. */
  close(grace: number): Promise<void>;
}

/** Listens; rejects with the system's error where the address can't be had. */
export async function listen(service: Service, host: string, port: number): Promise<Socket> {
  const server = createServer((incoming, outgoing) => {
    // A connection whose request ends while the server closes would be kept open for another one.
    outgoing.once('close', () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
    void respond(service, incoming, outgoing);
  });
  // Longer than clients keep an idle connection: one that is closed while a request sets out on it is reset.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  // A TCP server has an address with a port, other than one on a pipe.
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${name}:${address.port}`, close: async (grace) => close(server, grace) };
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
  const request = toRequest(incoming);
  if (request === undefined) {
    outgoing.writeHead(400, { Connection: 'close' }).end();
    return;
  }
  try {
    const response = await service(request);
    const body = Buffer.from(await response.arrayBuffer());
    const headers = { ...Object.fromEntries(response.headers), 'Content-Length': body.byteLength };
    // What was not read of a refused body would be taken for the next request.
    if (!incoming.complete) outgoing.setHeader('Connection', 'close');
    outgoing.writeHead(response.status, headers).end(body);
  } catch {
    outgoing.destroy();
  }
}

/** `undefined` for what no service answers: TRACE, or a target that is neither a path nor an address. */
function toRequest(incoming: IncomingMessage): Request | undefined {
  const { method = 'GET', url = '/' } = incoming;
  // A path that begins with two slashes is no host.
  const address = url.startsWith('/') ? `http://localhost${url}` : url;
  if (!URL.canParse(address) || method === 'TRACE') return undefined;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return new Request(address, {
    method,
    headers,
    ...(hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' } : {}),
  });
}
