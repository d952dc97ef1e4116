import { expect, test } from 'vitest';

import { isLoopback } from '../src/loopback.ts';

test.each([
  'localhost',
  'LOCALHOST',
  'dq.localhost',
  '127.0.0.1',
  '127.8.9.10',
  '::1',
  '[::1]',
  '::ffff:127.0.0.1',
  '[::ffff:127.0.0.1]',
  new URL('http://[::ffff:127.0.0.1]').hostname,
  new URL('http://[0:0:0:0:0:0:0:1]').hostname,
  new URL('http://0x7f.1').hostname,
])('%s is this machine', (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each([
  '',
  '0.0.0.0',
  '::',
  '10.0.0.1',
  '128.0.0.1',
  '1127.0.0.1',
  '::2',
  '::1:1',
  '::ffff:10.0.0.1',
  '::ffff:8000:1',
  'fe80::1',
  'mylocalhost',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '127.evil.example',
  'localhost:80',
  'http://localhost',
  'localhost\n',
])('%j is not', (host) => {
  expect(isLoopback(host)).toBe(false);
});
