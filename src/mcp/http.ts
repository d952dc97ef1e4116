import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServer,
  originValidationResponse,
} from '@modelcontextprotocol/server';

/** Where to listen, and to whom. */
export interface HttpOptions {
  /** Host name or address. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** What every request must have as `Authorization: Bearer`; none is needed without one. */
  readonly token: string | undefined;
  /** Host names under which the server is reached, beside those of this machine. */
  readonly allowedHosts: readonly string[];
  /** Called with what no response reports. */
  readonly onError: (error: unknown) => void;
}

/** A server that listens. */
export interface McpSocket extends AsyncDisposable {
  /** Address of its endpoint, such as `http://127.0.0.1:4790/mcp`. */
  readonly url: string;
}

const path = '/mcp';

/** Serves the streamable HTTP transport; rejects with the system's error if the address is not available. */
export async function serveOverHttp(create: () => McpServer, options: HttpOptions): Promise<McpSocket> {
  const { host, port, token, onError } = options;
  const handler = createMcpHandler(create, { onerror: onError });
  const hosts = [...localhostAllowedHostnames(), ...options.allowedHosts];
  // A page of another site must not reach the server through the browser of the user, whatever name it gives itself.
  const origins = [...localhostAllowedOrigins(), ...options.allowedHosts];
  const handle = async (request: Request): Promise<Response> =>
    hostHeaderValidationResponse(request, hosts) ??
    originValidationResponse(request, origins) ??
    refusal(request, token) ??
    handler.fetch(request);
  const server = createServer((incoming, outgoing) => {
    respond(handle, incoming, outgoing).catch((error: unknown) => {
      // A client that went away is not a failure of the server.
      if (!outgoing.destroyed) onError(error);
      outgoing.destroy();
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  server.on('error', onError);
  // A TCP server has an address with a port, other than one on a pipe.
  const { address, family, port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actualPort}${path}`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      await handler.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function refusal({ url, headers }: Request, token: string | undefined): Response | undefined {
  if (new URL(url).pathname !== path) return new Response(`The endpoint is ${path}.`, { status: 404 });
  const [, given = ''] = /^bearer +(.*)$/i.exec(headers.get('Authorization') ?? '') ?? [];
  if (token === undefined || isSame(given, token)) return undefined;
  return new Response('Authorization: Bearer with the token of the server is needed.', {
    status: 401,
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

/** Compares in a time that shows nothing of where two texts differ. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}

async function respond(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const left = new AbortController();
  outgoing.on('error', () => undefined).once('close', () => left.abort());
  const request = toRequest(incoming, left.signal);
  const response = request === undefined ? new Response(null, { status: 400 }) : await handle(request);
  // What was not read of a refused body would be taken for the next request.
  if (!incoming.complete) outgoing.setHeader('Connection', 'close');
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) outgoing.end();
  // Events go out as they come.
  else await pipeline(Readable.fromWeb(response.body), outgoing);
}

/** `undefined` for what cannot be a request, such as TRACE. */
function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '/', headersDistinct } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  try {
    const headers = new Headers();
    for (const [name, values] of Object.entries(headersDistinct)) {
      for (const value of values ?? []) headers.append(name, value);
    }
    return new Request(`http://localhost${url.startsWith('/') ? url : '/'}`, {
      method,
      headers,
      signal,
      ...(hasBody && { body: ReadableStream.from<Uint8Array>(incoming), duplex: 'half' as const }),
    });
  } catch {
    return undefined;
  }
}
