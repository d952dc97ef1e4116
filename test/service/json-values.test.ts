import { expect, test } from 'vitest';

import { hasMoreValuesThan } from '../../src/service/json-values.ts';

test.each([
  ['lists in a list', '[[],[]]', 4],
  ['objects in a list', '[{},{}]', 4],
  ['numbers', '[1,2,3]', 3],
  ['fields', '{"a":1,"b":[2]}', 3],
  ['texts with what looks like values', '["[,{",",,,,"]', 2],
  ['texts with escaped quotes', String.raw`["a\",\"b","\",[{\"",",,,,"]`, 3],
  ['texts that end with a backslash', String.raw`["C:\\",[],"D:\\\\",[]]`, 6],
  ['a field whose name looks like values', '{",[{":1}', 1],
  ['a text that does not end', '[[,"[[[[,', 3],
  ['a text that ends in an escaped quote', String.raw`[["[[[\"`, 2],
])('of %s, only those outside of texts are counted', (_, text, count) => {
  expect([hasMoreValuesThan(count - 1, text), hasMoreValuesThan(count, text)]).toEqual([true, false]);
});

test.each(['', '1', '"[,{"'])('%j has none', (text) => {
  expect(hasMoreValuesThan(0, text)).toBe(false);
});
