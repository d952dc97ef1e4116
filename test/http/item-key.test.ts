import { expect, test } from 'vitest';

import { keyOf, keysOf } from '../../src/http/item-key.ts';

test.each([
  [{ uuid: 'v_1', id: 1 }, 'v_1'],
  [{ uuid: null, id: 1 }, 1],
  [{ id: 0 }, 0],
  [{ id: null }, undefined],
  [{ id: { a: 1 } }, undefined],
  [{ name: 'a' }, undefined],
  [['id'], undefined],
  ['id', undefined],
])('the key of %j is %j', (item, key) => {
  expect(keyOf(item)).toBe(key);
});

test.each(['id', 'uuid'])('a number that JavaScript rounds is a key by its text in %s', (name) => {
  const text = `{"items":[{"${name}":9007199254740993,"n":9007199254740993},{"${name}":1}]}`;
  const { items } = JSON.parse(text) as { items: readonly unknown[] };
  expect(keysOf(items, text, ['items'])).toEqual(['9007199254740993', 1]);
});

test('numbers that JavaScript does not round are keys as they are', () => {
  const items = [{ id: Number.MAX_SAFE_INTEGER }, { id: 1.5 }, { id: -3 }, { id: 'm_1' }];
  expect(keysOf(items, JSON.stringify({ items }), ['items'])).toEqual([9007199254740991, 1.5, -3, 'm_1']);
});

test('a text of digits is a key as it is, also beside a number that JavaScript rounds', () => {
  const text = '[{"id":"9007199254740993"},{"id":-9007199254740993}]';
  const items = JSON.parse(text) as readonly unknown[];
  expect(keysOf(items, text, [])).toEqual(['9007199254740993', '-9007199254740993']);
});
