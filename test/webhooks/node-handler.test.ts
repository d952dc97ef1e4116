import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import express from 'express';
import fastify from 'fastify';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { createWebhookHandler, toNodeHandler } from 'data-quality-client/webhooks';
import type { WebhookHandler, WebhookHandlerOptions } from 'data-quality-client/webhooks';

import { alertBody, secret, signed } from './deliveries.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Listener = Parameters<typeof createServer>[1];

async function serve(listener: Listener): Promise<{ url: string; port: number }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port };
}

function handler(options: Partial<WebhookHandlerOptions> = {}) {
  const handled: string[] = [];
  const errors: unknown[] = [];
  const handle = createWebhookHandler({
    secret,
    onAlert: ({ alert }) => void handled.push(alert.id),
    onError: (error) => void errors.push(error),
    ...options,
  });
  return { handle, handled, errors };
}

async function post(url: string, body: string): Promise<number> {
  const answer = await fetch(url, await signed(body));
  await answer.text();
  return answer.status;
}

/** The end of a connection, which may well be a reset. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on('error', () => undefined).on('close', () => resolve());
  });
}

const broken: WebhookHandler = async () => {
  throw new Error('hunter2');
};

describe('on node:http', () => {
  test('handles what is signed and refuses the rest', async () => {
    const { handle, handled } = handler();
    const { url } = await serve(toNodeHandler(handle));
    expect(await post(url, alertBody('Größe 🦆'))).toBe(200);
    expect(await post(`${url}/any/path?and=query`, alertBody('a2'))).toBe(200);
    expect(await post(url, 'no json')).toBe(400);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    expect((await fetch(url)).status).toBe(405);
    expect(handled).toEqual(['Größe 🦆', 'a2']);
  });

  test('hands on many deliveries over connections that stay open', async () => {
    const { handle, handled } = handler();
    const { url } = await serve(toNodeHandler(handle));
    const ids = Array.from({ length: 100 }, (_, n) => `a${n}`);
    const statuses = await Promise.all(
      ids.map((id) => post(url, alertBody(id, { pad: 'x'.repeat(100_000) }))),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(handled.toSorted()).toEqual(ids.toSorted());
  });

  test('responds 413 to an endless body without reading on, and the server goes on', async () => {
    const { handle, handled, errors } = handler({ maxBytes: 100_000 });
    const { url, port } = await serve(toNodeHandler(handle));
    const socket = connect(port, '127.0.0.1');
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    socket.write(
      'POST / HTTP/1.1\r\nHost: x\r\nX-Service-Signature: sha256=0\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    let answer = '';
    let written = 0;
    const pump = (): void => {
      while (!socket.destroyed && written < 500_000_000 && socket.write(chunk)) written += chunk.length;
    };
    socket
      .on('data', (data) => (answer += String(data)))
      .on('drain', pump)
      .on('error', () => undefined);
    pump();
    await closed(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer.toLowerCase()).toContain('connection: close');
    // What was written fits into the buffers of two sockets.
    expect(written).toBeLessThan(50_000_000);
    expect(await post(url, alertBody('next'))).toBe(200);
    expect(handled).toEqual(['next']);
    expect(errors).toEqual([]);
  });

  test('responds 413 to an announced length before any of it was sent', async () => {
    const { handle } = handler();
    const { port } = await serve(toNodeHandler(handle));
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST / HTTP/1.1\r\nHost: x\r\nX-Service-Signature: sha256=0\r\nContent-Length: 9999999\r\n\r\n',
    );
    let answer = '';
    socket.on('data', (data) => (answer += String(data)));
    await closed(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('survives a sender that goes away in the middle', async () => {
    const { handle, handled, errors } = handler();
    const { url, port } = await serve(toNodeHandler(handle));
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST / HTTP/1.1\r\nHost: x\r\nX-Service-Signature: sha256=0\r\nContent-Length: 1000\r\n\r\nabc',
    );
    await new Promise((resolve) => socket.once('ready', resolve));
    socket.destroy();
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    expect(await post(url, alertBody('next'))).toBe(200);
    expect(handled).toEqual(['next']);
  });

  test.each(['TRACE', 'PROPFIND', 'OPTIONS'])('refuses %s, whatever its target and Host', async (method) => {
    const { handle } = handler();
    const { port } = await serve(toNodeHandler(handle));
    for (const target of ['/', '*', '//', 'http://x.test/', '/\u00ff?%zz']) {
      const socket = connect(port, '127.0.0.1');
      socket.write(`${method} ${target} HTTP/1.1\r\nHost: ]:[\r\nConnection: close\r\n\r\n`, 'latin1');
      let answer = '';
      socket.on('data', (data) => (answer += String(data)));
      await closed(socket);
      expect(answer).toMatch(/^HTTP\/1\.1 40[05] /);
    }
  });

  test('what a handler of the user throws is a 500 without its message', async () => {
    const { url } = await serve(toNodeHandler(broken));
    const answer = await fetch(url, await signed('{}'));
    expect(answer.status).toBe(500);
    expect(await answer.text()).toBe('');
  });
});

/** Returns the URL that it was given. */
const echo: WebhookHandler = async (request) => new Response(request.url);

describe('what the handler and the sender see', () => {
  test('a handler gets the path and query, and never the Host', async () => {
    const { url, port } = await serve(toNodeHandler(echo));
    expect(await (await fetch(`${url}/any/path?and=query`)).text()).toBe(
      'http://localhost/any/path?and=query',
    );
    const socket = connect(port, '127.0.0.1');
    socket.write('OPTIONS * HTTP/1.1\r\nHost: elsewhere.test\r\nConnection: close\r\n\r\n');
    let response = '';
    socket.on('data', (data) => (response += String(data)));
    await closed(socket);
    expect(response).toMatch(/\r\n\r\nhttp:\/\/localhost\/$/);
  });

  test('a header without a value is a missing header', async () => {
    const { handle, errors } = handler();
    const request = {
      method: 'POST',
      url: '/',
      headers: { 'x-service-signature': undefined },
      async *[Symbol.asyncIterator]() {},
    };
    const setHeader = vi.fn<(name: string, value: string) => void>();
    const end = vi.fn<() => void>();
    await toNodeHandler(handle)(request, { statusCode: 0, setHeader, end });
    expect(end).toHaveBeenCalledTimes(1);
    expect(errors).toMatchObject([{ reason: 'missing_signature' }]);
  });

  test('the sender gets the headers of the response', async () => {
    const { handle } = handler();
    const { url } = await serve(toNodeHandler(handle));
    expect((await fetch(url)).headers.get('allow')).toBe('POST');
  });

  test('the connection stays open once a delivery was read', async () => {
    const { handle } = handler();
    const { url } = await serve(toNodeHandler(handle));
    const response = await fetch(url, await signed(alertBody('a1')));
    expect(response.status).toBe(200);
    expect(response.headers.get('connection')).toBe('keep-alive');
  });
});

test('handles deliveries on HTTP/2', async () => {
  const { handle, handled } = handler();
  const server = createHttp2Server(toNodeHandler(handle)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  closers.push(() => {
    session.destroy();
    server.close();
  });
  const { body, headers } = await signed(alertBody('a1'));
  const stream = session.request({ ':method': 'POST', ':path': '/alerts', ...headers });
  stream.end(body);
  const [response] = (await once(stream, 'response')) as [Record<string, unknown>];
  expect(response[':status']).toBe(200);
  expect(handled).toEqual(['a1']);
});

describe('on Express', () => {
  test('handles deliveries above a body parser', async () => {
    const { handle, handled } = handler();
    const app = express();
    app.post('/alerts', toNodeHandler(handle));
    app.use(express.json());
    const { url } = await serve(app);
    expect(await post(`${url}/alerts`, alertBody('a1'))).toBe(200);
    expect(handled).toEqual(['a1']);
  });

  test.each([
    ['express.raw', express.raw({ type: '*/*' })],
    ['express.text', express.text({ type: '*/*' })],
    ['express.json for another type', express.json({ type: 'application/vnd.other' })],
    [
      'a parser that keeps rawBody',
      express.json({ verify: (request, _, raw) => void Object.assign(request, { rawBody: raw }) }),
    ],
  ])('handles deliveries behind %s', async (_, parser) => {
    const { handle, handled } = handler();
    const app = express();
    app.use(parser);
    app.post('/alerts', toNodeHandler(handle));
    const { url } = await serve(app);
    expect(await post(`${url}/alerts`, alertBody('Größe'))).toBe(200);
    expect(handled).toEqual(['Größe']);
  });

  test('passes a body that was parsed already to the error handler, saying what to change', async () => {
    const { handle, handled } = handler();
    const caught: unknown[] = [];
    const app = express();
    app.use(express.json());
    app.post('/alerts', toNodeHandler(handle));
    const onError: express.ErrorRequestHandler = (error, _request, response, _next) => {
      caught.push(error);
      response.status(500).end();
    };
    app.use(onError);
    const { url } = await serve(app);
    expect(await post(`${url}/alerts`, alertBody('a1'))).toBe(500);
    expect(caught).toEqual([
      expect.objectContaining({
        reason: 'body_already_parsed',
        message: expect.stringContaining('above express.json()'),
      }),
    ]);
    expect(handled).toEqual([]);
  });
});

describe('on Fastify', () => {
  test('handles deliveries of a route whose payload is left alone', async () => {
    const { handle, handled } = handler();
    const app = fastify();
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    const listener = toNodeHandler(handle);
    app.post('/alerts', (request, reply) => {
      reply.hijack();
      return listener(request.raw, reply.raw);
    });
    closers.push(() => app.close());
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    expect(await post(`${url}/alerts`, alertBody('a1'))).toBe(200);
    expect(await post(`${url}/alerts`, alertBody('a2'))).toBe(200);
    expect(handled).toEqual(['a1', 'a2']);
  });

  test('reports what to change if the payload was already parsed', async () => {
    const { handle } = handler();
    const app = fastify();
    const listener = toNodeHandler(handle);
    app.post('/alerts', (request, reply) => {
      reply.hijack();
      return listener(request.raw, reply.raw);
    });
    closers.push(() => app.close());
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const answer = await fetch(`${url}/alerts`, await signed(alertBody('a1')));
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain('The body was read before its signature was verified');
  });
});
