import { describe, expect, test } from 'vitest';

import { readErrorBody } from '../../src/http/error-body.ts';
import { excerpt } from '../../src/http/json.ts';

const read = (body: unknown) => readErrorBody(JSON.stringify(body));

describe('the body of an error', () => {
  test.each([
    ['an object', { error: { code: 'A_B', message: 'why', details: { x: 1 } } }, 'A_B', 'why'],
    ['a text', { error: 'it broke' }, undefined, 'it broke'],
    ['a code', { error: 'A_B' }, 'A_B', 'the response has no message'],
    ['a code beside a message', { error: 'A_B', message: 'why' }, 'A_B', 'why'],
    ['both at the top', { code: 'A_B', message: 'why' }, 'A_B', 'why'],
    ['a detail', { detail: 'why', title: 'what' }, undefined, 'why'],
    ['a title', { title: 'what' }, undefined, 'what'],
    ['blanks before a title', { error: ' ', message: '\n', title: 'what' }, undefined, 'what'],
    ['something else', { error: 3, message: {}, code: null }, undefined, undefined],
    ['a list', ['A_B'], undefined, undefined],
  ])('may be %s', (_, body, code, message) => {
    const found = read(body);
    expect([found.code, found.message]).toEqual([code, message]);
  });

  test('has the details of the error, else its own, if they are an object', () => {
    expect(read({ error: { details: { x: 1 } }, details: { y: 2 } }).details).toEqual({ x: 1 });
    expect(read({ error: { details: null }, details: { y: 2 } }).details).toEqual({ y: 2 });
    expect(read({ error: { details: 'x' }, details: 3 }).details).toBeUndefined();
  });

  test('names the refused argument in its details, in the error or at the top', () => {
    expect(read({ error: { details: { field: 'a' }, field: 'b' }, field: 'c' }).field).toBe('a');
    expect(read({ error: { field: 'b' }, field: 'c' }).field).toBe('b');
    expect(read({ field: 'c' }).field).toBe('c');
    expect(read({ field: ' ' }).field).toBeUndefined();
  });

  test('may be a list of messages with their places, of which three are shown', () => {
    const issues = ['a', 'b', 'c', 'd'].map((name) => ({ loc: ['body', 0, name], msg: 'odd' }));
    const odd = [null, 'text', { loc: 'body', msg: 'unplaced' }];
    expect(read({ detail: [...odd, issues[0], { loc: ['query', null, {}, 'b'] }] })).toMatchObject({
      message: 'unplaced; body.0.a: odd; query.b: was refused',
      field: 'body.0.a',
    });
    expect(read({ detail: issues }).message).toBe('body.0.a: odd; body.0.b: odd; body.0.c: odd; and 1 more');
    expect(read({ detail: issues.slice(1) }).message).toBe('body.0.b: odd; body.0.c: odd; body.0.d: odd');
    expect(read({ detail: [] })).toEqual({});
  });
});

test('an excerpt is the trimmed text, cut off after its length', () => {
  expect(excerpt('  text\n')).toBe('text');
  expect(excerpt(' text ', 4)).toBe('text');
  expect(excerpt('texts', 4)).toBe('text…');
});
