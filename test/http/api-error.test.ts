import { expect, test } from 'vitest';

import { validityEndpoints } from '../../src/contract/validity.ts';
import { toApiError } from '../../src/http/api-error.ts';

function errorOf(status: number, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = { status, headers: new Headers(), text, isTruncated: false };
  const call = { method: 'GET', path: '/x', attempts: 1 };
  return toApiError(validityEndpoints.list, call, response, {
    rateLimit: undefined,
    retryAfterMs: undefined,
  });
}

test.each([
  [200, { success: false }, 'ApiError', 'UNSUCCESSFUL', 'the response says that the call failed'],
  [400, { error: { code: 'ODD', message: 'why' } }, 'ApiError', 'ODD', 'why'],
  [400, {}, 'ValidationError', 'VALIDATION_ERROR', '{}'],
  [401, { error: { code: 'ODD', message: 'why' } }, 'UnauthorizedError', 'UNAUTHORIZED', 'ODD: why'],
  [404, '', 'NotFoundError', undefined, 'the response has no body'],
  [409, { error: { code: 'ODD', message: 'why' } }, 'ApiError', 'ODD', 'why'],
  [409, 'busy', 'ApiError', 'HTTP_409', 'busy'],
  [409, { message: 'why', field: 'name' }, 'ApiError', 'HTTP_409', 'why'],
  [422, { message: 'why', field: 'name' }, 'ValidationError', 'VALIDATION_ERROR', 'why'],
  [422, { code: 'ODD', message: 'why', field: 'name' }, 'ApiError', 'ODD', 'why'],
  [422, 'odd', 'ApiError', 'HTTP_422', 'odd'],
  [500, {}, 'InternalError', 'INTERNAL_ERROR', '{}'],
  [503, { error: { code: 'BUSY', message: 'why' } }, 'InternalError', 'BUSY', 'why'],
])('a status %i with the body %j is a %s with the code %s', (status, body, name, code, message) => {
  const error = errorOf(status, body);
  expect(error).toMatchObject({ name, status, ...(code !== undefined && { code }) });
  expect(error.message).toContain(message);
});

test('has the field as its details if the body has none', () => {
  expect(errorOf(409, { message: 'why', field: 'name' }).details).toEqual({ field: 'name' });
  expect(errorOf(409, { message: 'why', field: 'name', details: { x: 1 } }).details).toEqual({ x: 1 });
  expect(errorOf(409, { message: 'why' }).details).toEqual({});
});
