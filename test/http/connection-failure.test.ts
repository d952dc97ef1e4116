import { describe, expect, test } from 'vitest';

import { connectionFailure, isTransient } from '../../src/http/connection-failure.ts';

function failure(thrown: unknown, method = 'POST') {
  return connectionFailure({ method, path: '/x', attempts: 1 }, 'dq.test', thrown);
}

function systemError(message: string, more: object): Error {
  return Object.assign(new Error(message), more);
}

describe('a connection that failed', () => {
  test('has the code and the message of the innermost cause that has them', () => {
    const inner = systemError('', { code: 'ECONNRESET', syscall: 'read' });
    const middle = systemError('the socket was closed', { code: 'UND_ERR_SOCKET', cause: inner });
    const error = failure(new TypeError('fetch failed', { cause: middle }));
    expect(error).toMatchObject({ code: 'ECONNRESET', mayHaveBeenProcessed: true });
    expect(error.message).toContain('ECONNRESET: the socket was closed');
  });

  test('has no code that is not a text, and no cause beyond the fifth', () => {
    const odd = failure(systemError('odd', { code: 7, syscall: 7 }));
    expect(odd).toMatchObject({ code: 'CONNECTION_FAILED', mayHaveBeenProcessed: true });
    let deep = systemError('deep', { code: 'ECONNREFUSED' });
    for (let level = 0; level < 4; level += 1) deep = new Error('outer', { cause: deep });
    expect(failure(deep).code).toBe('ECONNREFUSED');
    expect(failure(new Error('outermost', { cause: deep })).code).toBe('CONNECTION_FAILED');
    const endless = new Error('endless');
    endless.cause = endless;
    expect(failure(endless).code).toBe('CONNECTION_FAILED');
  });

  test.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'CERT_HAS_EXPIRED'])(
    'with %s has surely not been processed',
    (code) => {
      expect(failure(systemError('failed', { code }))).toMatchObject({ code, mayHaveBeenProcessed: false });
    },
  );

  test.each([
    ['EHOSTUNREACH', 'connect', false],
    ['ENETUNREACH', 'connect', false],
    ['EHOSTUNREACH', 'write', true],
    ['ECONNRESET', 'connect', true],
  ])('with %s of %s may have been processed: %s', (code, syscall, mayHaveBeenProcessed) => {
    expect(failure(systemError('failed', { code, syscall }))).toMatchObject({ code, mayHaveBeenProcessed });
  });

  test('by a redirect may have been processed unless it only reads, and is not tried again', () => {
    const redirected = new TypeError('fetch failed', { cause: new Error('unexpected redirect') });
    expect(failure(redirected)).toMatchObject({ code: 'REDIRECTED', mayHaveBeenProcessed: true });
    expect(failure(redirected, 'GET')).toMatchObject({ mayHaveBeenProcessed: false });
    expect(isTransient(failure(redirected))).toBe(false);
  });

  test('by a port that fetch refuses was never made, and is not tried again', () => {
    const refused = failure(new TypeError('fetch failed', { cause: new Error('bad port') }));
    expect(refused).toMatchObject({ code: 'BAD_PORT', mayHaveBeenProcessed: false });
    expect(refused.message).toContain('check baseUrl');
    expect(isTransient(refused)).toBe(false);
  });

  test.each([
    ['client error (Connect): tcp connect error: Connection refused (os error 111)', 'ECONNREFUSED'],
    ['client error (Connect): dns error: failed to lookup address information', 'ENOTFOUND'],
    ['client error (Connect): something else', 'CONNECTION_FAILED'],
    ['client error (SendRequest): Connection refused', 'CONNECTION_FAILED'],
  ])('in Deno with %j is %s', (message, code) => {
    const error = failure(new TypeError(message));
    expect(error).toMatchObject({ code, mayHaveBeenProcessed: code === 'CONNECTION_FAILED' });
    expect(isTransient(error)).toBe(true);
  });

  test('by something that is not an error shows what it is', () => {
    expect(failure('a text').message).toContain('CONNECTION_FAILED: a text');
  });
});
