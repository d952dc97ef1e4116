import type * as Dns from 'node:dns';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, test, vi } from 'vitest';

import { isLoopback } from '../../src/loopback.ts';
import { isPrivate } from '../../src/server/address.ts';
import { destinationsOf } from '../../src/server/destination.ts';
import { post } from '../../src/server/post.ts';
import { dribble, pour, receive } from './receiver.ts';

const resolved = vi.hoisted(() => new Map<string, readonly string[]>());

vi.mock('node:dns', async (importOriginal) => {
  const original = await importOriginal<typeof Dns>();
  const lookup = (
    hostname: string,
    options: { all: true },
    callback: (error: Error | null, addresses: { address: string; family: number }[]) => void,
  ) => {
    const addresses = resolved.get(hostname);
    if (addresses === undefined) return original.lookup(hostname, options, callback);
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { ...original, lookup };
});

afterEach(() => resolved.clear());

const { signal } = new AbortController();

function destination(configured: Parameters<typeof destinationsOf>[0][number]) {
  const [made] = destinationsOf([configured]);
  if (made === undefined) throw new Error('no destination');
  return made;
}

test.each([
  ['8.8.8.8', false, false],
  ['2606:4700::1111', false, false],
  ['127.0.0.1', true, true],
  ['127.8.9.10', true, true],
  ['::1', true, true],
  ['::ffff:127.0.0.1', true, true],
  ['10.1.2.3', true, false],
  ['172.16.0.1', true, false],
  ['172.32.0.1', false, false],
  ['192.168.1.1', true, false],
  ['169.254.169.254', true, false],
  ['100.64.0.1', true, false],
  ['0.0.0.0', true, false],
  ['255.255.255.255', true, false],
  ['224.0.0.1', true, false],
  ['::', true, false],
  ['::ffff:10.0.0.1', true, false],
  ['64:ff9b::7f00:1', true, false],
  ['2002:7f00:1::', true, false],
  ['fd00::1', true, false],
  ['fe80::1', true, false],
  ['ff02::1', true, false],
  ['no address', true, false],
])('%s: private %s, loopback %s', (address, isItPrivate, isItLoopback) => {
  expect([isPrivate(address), isLoopback(address)]).toEqual([isItPrivate, isItLoopback]);
});

describe('configuration', () => {
  test.each([
    [{ url: 'http://alerts.example/' }, 'needs an https address'],
    [{ url: 'http://10.0.0.1/' }, 'needs an https address'],
    [{ url: 'http://localhost.example/' }, 'needs an https address'],
    [{ url: 'ftp://127.0.0.1/' }, 'needs an https address'],
    [{ url: 'https://user:word@alerts.example/' }, 'takes credentials as auth'],
    [{ url: 'https://a.example/', headers: { Host: 'b.example' } }, 'cannot send the header Host'],
    [
      { url: 'https://a.example/', headers: { 'Content-Length': '1' } },
      'cannot send the header Content-Length',
    ],
    [{ url: 'https://a.example/', headers: { 'X-A': 'b\r\nX-C: d' } }, 'cannot send the header X-A'],
  ])('%o', (configured, message) => {
    expect(() => destinationsOf([configured])).toThrow(message);
  });

  test('two of one name', () => {
    const twice = { name: 'ops', url: 'https://a.example/' };
    expect(() => destinationsOf([twice, twice])).toThrow('the destination ops is there twice');
  });

  test.each([
    [{ url: 'http://localhost:1/' }, 'loopback'],
    [{ url: 'http://127.0.0.1:1/' }, 'loopback'],
    [{ url: 'http://[::1]:1/' }, 'loopback'],
    [{ url: 'https://10.0.0.1/' }, 'private'],
    [{ url: 'https://[fd00::1]/' }, 'private'],
    [{ url: 'https://alerts.example/' }, 'public'],
    [{ url: 'https://alerts.internal/', private: true }, 'private'],
    [{ url: 'https://0x7f.1/' }, 'loopback'],
  ] as const)('%o may have addresses of the %s network', (configured, network) => {
    expect(destination(configured).allowedNetwork).toBe(network);
  });
});

describe('a name that leads to a private address', () => {
  const inward = [['127.0.0.1'], ['10.0.0.7'], ['::1'], ['169.254.169.254'], ['93.184.216.34', '127.0.0.1']];

  test.each(inward)('%s is not called', async (...addresses) => {
    resolved.set('alerts.example', addresses);
    const made = destination({ url: 'https://alerts.example/', secret: 's' });
    await expect(post(made, '{}', signal)).rejects.toThrow('is not a public address');
  });

  test('is called if the configuration allows it', async () => {
    // Answers no TLS: being connected to is what is looked for.
    const connected = Promise.withResolvers<void>();
    const server = createServer((socket) => {
      connected.resolve();
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    resolved.set('alerts.internal', ['127.0.0.1']);
    const made = destination({ url: `https://alerts.internal:${port}/`, private: true });
    await expect(post(made, '{}', signal)).rejects.toThrow(/socket|disconnected|reset/i);
    await connected.promise;
    server.close();
  });

  test('localhost must be this machine', async () => {
    resolved.set('localhost', ['10.0.0.7']);
    await expect(post(destination({ url: 'http://localhost:1/' }), '{}', signal)).rejects.toThrow(
      '10.0.0.7 is not a loopback address',
    );
  });
});

test.each([
  ['pours', pour, 200],
  ['dribbles', dribble, 500],
] as const)('a response that %s is cut off', async (_title, answer, expected) => {
  await using receiver = await receive();
  const closed = Promise.withResolvers<void>();
  receiver.answering.answer = (_request, response) => {
    response.once('close', () => closed.resolve());
    answer(response);
  };
  expect(await post(destination({ url: receiver.url }), '{}', signal)).toBe(expected);
  await closed.promise;
});

test('a redirect is not followed', async () => {
  await using receiver = await receive();
  receiver.answering.answer = (_request, response) => {
    response.writeHead(302, { Location: receiver.url }).end();
  };
  expect(await post(destination({ url: receiver.url }), '{}', signal)).toBe(302);
  expect(receiver.received).toHaveLength(1);
});
