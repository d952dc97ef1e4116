import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { check, rule, rulePage, snapshotPage } from './bodies.ts';

/**
 * The service of the benchmark, one process for all contestants. The first part of the path chooses how it
 * behaves, so that each run has a base URL of its own:
 *
 * - `/plain`: answers at once
 * - `/delay/<ms>`: behaves as the rest of the path says, after so many ms
 * - `/fixed/<limit>/<run>`, `/bucket/<limit>/<run>`: at most so many requests a second, counted for each run
 * - `/stats/<run>`: what was counted
 */
const pages = new Map<string, Buffer>();

function storedPage(limit: number, offset: number): Buffer {
  const key = `${limit} ${offset}`;
  const page = pages.get(key) ?? Buffer.from(snapshotPage(limit, offset));
  pages.set(key, page);
  return page;
}

interface Run {
  accepted: number;
  refused: number;
  firstAt: number;
  lastAt: number;
  window: number;
  used: number;
  tokens: number;
  filledAt: number;
}

const runs = new Map<string, Run>();

/** Counts a request of a run; false if it is one too many. */
function admit(kind: string, limit: number, name: string, response: ServerResponse): boolean {
  const now = Date.now();
  let run = runs.get(name);
  if (run === undefined) {
    run = {
      accepted: 0,
      refused: 0,
      firstAt: now,
      lastAt: now,
      window: 0,
      used: 0,
      tokens: limit,
      filledAt: now,
    };
    runs.set(name, run);
  }
  run.lastAt = now;
  let remaining: number;
  let resetAt: number;
  let isAllowed: boolean;
  if (kind === 'fixed') {
    const window = Math.floor((now - run.firstAt) / 1000);
    if (window !== run.window) run.used = 0;
    run.window = window;
    isAllowed = run.used < limit;
    if (isAllowed) run.used++;
    remaining = limit - run.used;
    resetAt = run.firstAt + (window + 1) * 1000;
  } else {
    run.tokens = Math.min(limit, run.tokens + ((now - run.filledAt) * limit) / 1000);
    run.filledAt = now;
    isAllowed = run.tokens >= 1;
    if (isAllowed) run.tokens--;
    remaining = Math.floor(run.tokens);
    resetAt = now + ((limit - run.tokens) / limit) * 1000;
  }
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', Math.ceil(resetAt / 1000));
  if (isAllowed) run.accepted++;
  else run.refused++;
  return isAllowed;
}

const refusal = JSON.stringify({
  error: { code: 'RATE_LIMITED', message: 'Too many requests', details: {} },
});

function send(response: ServerResponse, body: string | Buffer, status = 200): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

function answer(request: IncomingMessage, response: ServerResponse, path: string): void {
  const url = new URL(path, 'http://localhost');
  if (url.pathname.endsWith('/check')) {
    send(response, check);
  } else if (/\/validity\/[^/]+$/.test(url.pathname)) {
    const { searchParams } = url;
    send(
      response,
      rulePage(Number(searchParams.get('limit') ?? 50), Number(searchParams.get('offset') ?? 0)),
    );
  } else if (request.method === 'POST') {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () =>
      send(
        response,
        JSON.stringify({
          id: 'file',
          bytes,
          data: { sync_stats: { nodes_created: bytes, edges_created: 0 } },
        }),
      ),
    );
  } else if (url.pathname.endsWith('/snapshots')) {
    const limit = Number(url.searchParams.get('limit') ?? 100);
    send(response, storedPage(limit, Number(url.searchParams.get('offset') ?? 0)));
  } else {
    send(response, rule);
  }
}

const server = createServer((request, response) => behave(request, response, request.url ?? '/'));

function behave(request: IncomingMessage, response: ServerResponse, path: string): void {
  const [, behaviour = '', argument = '', run = '', ...rest] = path.split('/');
  if (behaviour === 'plain') return answer(request, response, `/${[argument, run, ...rest].join('/')}`);
  if (behaviour === 'delay') {
    return void setTimeout(behave, Number(argument), request, response, `/${[run, ...rest].join('/')}`);
  }
  if (behaviour === 'stats') return send(response, JSON.stringify(runs.get(argument) ?? null));
  if (behaviour !== 'fixed' && behaviour !== 'bucket') return answer(request, response, path);
  if (admit(behaviour, Number(argument), run, response))
    return answer(request, response, `/${rest.join('/')}`);
  response.setHeader('Retry-After', 1);
  send(response, refusal, 429);
}

server.keepAliveTimeout = 60_000;
server.requestTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.stdout.write(`${address.port}\n`);
});
// The server ends with the process that started it, whichever way that ends.
process.stdin.resume().on('end', () => process.exit(0));
