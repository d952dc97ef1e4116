import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** What a service that is written by hand does with a request that arrived whole: attempt 1 is the first. */
export type Respond = (socket: Socket, attempt: number) => void;

/** A service that sends whatever bytes it is told to. */
export interface RawService {
  readonly port: number;
  /** Requests that arrived whole, by method. */
  readonly received: readonly string[];
  /** Connections that are open. */
  open(): number;
  close(): Promise<void>;
}

/** Listens on loopback, with TLS if it is given a certificate. */
export async function startRawService(respond: Respond, tls?: TlsOptions): Promise<RawService> {
  const sockets = new Set<Socket>();
  const received: string[] = [];
  const serve = (socket: Socket): void => {
    let bytes = '';
    socket.setEncoding('latin1').on('error', () => undefined);
    socket.on('data', (chunk: string) => {
      bytes += chunk;
      const length = wholeLength(bytes);
      if (length === undefined) return;
      received.push(bytes.slice(0, bytes.indexOf(' ')));
      bytes = bytes.slice(length);
      respond(socket, received.length);
    });
  };
  const server: Server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // A TCP server has an address with a port, other than one on a pipe.
    port: (server.address() as AddressInfo).port,
    received,
    open: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Length of the first request in what arrived; undefined while it is not whole. */
function wholeLength(bytes: string): number | undefined {
  const head = bytes.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const body = head + 4;
  if (/\r\ntransfer-encoding: chunked/i.test(bytes.slice(0, head))) {
    const last = bytes.indexOf('0\r\n\r\n', body);
    return last < 0 ? undefined : last + 5;
  }
  const length = /\r\ncontent-length: (\d+)/i.exec(bytes.slice(0, head));
  const whole = body + Number(length?.[1] ?? 0);
  return bytes.length < whole ? undefined : whole;
}
