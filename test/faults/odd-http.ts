import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import type { Instrument, Played } from './instrument.ts';
import { leftOpen } from './network.ts';
import { calls, hold } from './promises.ts';
import type { Random } from './random.ts';
import { startRawService } from './raw-service.ts';

const json = 'Content-Type: application/json\r\n';

/** A response with these lines before its headers end. */
function respond(status: string, headers: string, body: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${status}\r\n${headers}\r\n`, 'latin1'), Buffer.from(body)]);
}

function withLength(headers: string, body: string | Buffer, status = 'HTTP/1.1 200 OK'): Buffer {
  return respond(status, `${json}Content-Length: ${Buffer.byteLength(body)}\r\n${headers}`, body);
}

/** Bytes of a body that is larger than a client under attack takes. */
const bomb = 8 * 1024 * 1024;

/** Responses that no sane service sends, but that a broken one, or a proxy, does. */
const oddities: Readonly<Record<string, (body: string, random: Random) => Buffer>> = {
  '1xx flood': (body, random) =>
    Buffer.concat([
      Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1 + random.below(300))),
      withLength('', body),
    ]),
  'header flood': (body, random) =>
    withLength(Array.from({ length: random.below(9000) }, (_, index) => `X-${index}: y\r\n`).join(''), body),
  'long header': (body, random) => withLength(`X-Long: ${'z'.repeat(random.below(100_000))}\r\n`, body),
  'two lengths': (body, random) => withLength(`Content-Length: ${random.below(500)}\r\n`, body),
  'odd length': (body, random) =>
    respond(
      'HTTP/1.1 200 OK',
      `Content-Length: ${random.pick(['-1', '1e3', '0x10', ' ', '9'.repeat(30), '1,2'])}\r\n`,
      body,
    ),
  'length and chunks': (body) => withLength('Transfer-Encoding: chunked\r\n', body),
  'chunk garbage': (body, random) =>
    respond(
      'HTTP/1.1 200 OK',
      `${json}Transfer-Encoding: chunked\r\n`,
      random.pick([
        `zz\r\n${body}`,
        `-5\r\n${body}\r\n0\r\n\r\n`,
        `ffffffffffffffffff\r\n${body}`,
        `5;${'x'.repeat(20_000)}\r\n${body}`,
      ]),
    ),
  'gzip bomb': (_, random) => {
    const text = random.pick(['[],', '{"data":{"a":', ' ', '{"data":"', '[']).repeat(bomb / 4);
    return withLength('Content-Encoding: gzip\r\n', gzipSync(text, { level: 1 }));
  },
  'endless list': () => respond('HTTP/1.1 200 OK', json, `{"data":{"items":[${'{},'.repeat(bomb / 4)}`),
  'wrong encoding': (body, random) => {
    const sent = random.pick([
      Buffer.from(body),
      gzipSync(body),
      deflateSync(body),
      brotliCompressSync(body),
    ]);
    const encoding = random.pick(['gzip', 'br', 'deflate', 'zstd', 'x-none', 'gzip, gzip, gzip', 'identity']);
    return withLength(`Content-Encoding: ${encoding}\r\n`, sent);
  },
  'cut gzip': (body, random) => {
    const sent = gzipSync(body);
    return withLength('Content-Encoding: gzip\r\n', sent.subarray(0, random.below(sent.byteLength)));
  },
  'odd status': (body, random) =>
    withLength(
      '',
      body,
      `HTTP/1.1 ${random.pick(['000', '099', '101 Switching', '204', '205', '304', '418', '999', '1000', '-1', '2e2'])} X`,
    ),
  'odd version': (body, random) =>
    withLength(
      '',
      body,
      `${random.pick(['HTTP/0.9', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'ICY', 'SSH-2.0', ''])} 200 OK`,
    ),
  redirect: (body, random) =>
    withLength(
      `Location: ${random.pick(['/', 'http://127.0.0.1:1/', '//x', 'javascript:1', 'http://a:b@c/', ''])}\r\n`,
      body,
      `HTTP/1.1 ${random.pick(['300', '301', '302', '303', '307', '308'])} Moved`,
    ),
  'retry after': (body, random) =>
    withLength(
      `Retry-After: ${random.pick(['-1', '+5', '1, 2', '0', '1e9', 'NaN', 'Thu, 01 Jan 1970 00:00:00 GMT', '99999999999', ''])}\r\n`,
      body,
      `HTTP/1.1 ${random.pick(['429', '503'])} Wait`,
    ),
  'rate limit': (body, random) => {
    const number = () => random.pick(['-1', '0', '1e999', 'NaN', '', '9'.repeat(40), '2.5', '\u00ff']);
    return withLength(
      `X-RateLimit-Limit: ${number()}\r\nX-RateLimit-Remaining: ${number()}\r\nX-RateLimit-Reset: ${number()}\r\n`,
      body,
    );
  },
  'odd text': (body, random) =>
    withLength(
      '',
      Buffer.concat([
        random.pick([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from([0xff, 0xfe]), Buffer.from([0])]),
        Buffer.from(body),
      ]),
    ),
  'odd header': (body, random) =>
    withLength(
      random.pick([
        'X: a\0b\r\n',
        'X: a\r\n  folded\r\n',
        ': x\r\n',
        'X\r\n',
        'Ünï: 1\r\n',
        'X: \u001b[2J\r\n',
        'X:\n',
        '\t\r\n',
      ]),
      body,
    ),
  'empty body': (_, random) =>
    withLength('', '', random.pick(['HTTP/1.1 200 OK', 'HTTP/1.1 201 Created', 'HTTP/1.1 500 X'])),
  'second response': (body) =>
    Buffer.concat([withLength('', body), withLength('', '{"data":{"evil":true}}')]),
  'error page': (_, random) =>
    withLength(
      '',
      `<html>${'x'.repeat(random.below(100_000))}`,
      `HTTP/1.1 ${random.pick(['400', '404', '500', '502', '504', '200'])} X`,
    ),
  'deep error': (_, random) =>
    withLength(
      '',
      `{"error":${'{"error":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
      `HTTP/1.1 ${random.pick(['400', '404', '500'])} X`,
    ),
};

const names = Object.keys(oddities);

/** Responses that are not valid HTTP, or no response at all. */
export const oddHttp: Instrument = {
  concurrency: 4,
  start: async () => {
    const before = process.getActiveResourcesInfo().length;
    return {
      play,
      end: async () => [{ kind: 'nothing is left open', problems: await leftOpen(before) }],
    };
  },
};

async function play(index: number, random: Random): Promise<Played> {
  const name = names[index % names.length] as string;
  const call = calls[Math.floor(index / names.length) % calls.length] as (typeof calls)[number];
  const bytes = oddities[name]?.(JSON.stringify(call.body), random) ?? Buffer.alloc(0);
  const keepsOpen = random.oneIn(3);
  const service = await startRawService((socket) => {
    socket.write(bytes);
    if (!keepsOpen) socket.end();
  });
  try {
    const options = { maxResponseSize: 1024 * 1024, maxRetryAfter: 50 };
    const { problems } = await hold(
      call,
      `http://127.0.0.1:${service.port}`,
      accepted(name, service.received),
      options,
    );
    return { kind: name, problems: problems.map((problem) => `${call.name}: ${problem}`) };
  } finally {
    await service.close();
  }
}

/** A 429 says that nothing was done, so that whatever it refuses may be sent again. */
function accepted(name: string, received: readonly string[]): readonly string[] {
  return name === 'retry after' ? [] : received;
}
