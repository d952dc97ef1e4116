import { expect, test } from 'vitest';

import { sourceFlag } from '../../src/cli/source-flag.ts';

test.each([
  ['shop=postgres://reader@db/orders', { shop: 'postgres://reader@db/orders' }],
  ['postgres://reader@db/orders', { orders: 'postgres://reader@db/orders' }],
  ['clickhouse://ch:8123/analytics?a=b', { analytics: 'clickhouse://ch:8123/analytics?a=b' }],
  ['shop=${SHOP_URL}', { shop: '${SHOP_URL}' }],
])('%s names a source', (written, expected) => {
  expect(sourceFlag(written, {})).toEqual(expected);
});

test('several sources are gathered, a name is given once', () => {
  const one = sourceFlag('a=postgres://db/a', {});
  expect(sourceFlag('b=postgres://db/b', one)).toEqual({ a: 'postgres://db/a', b: 'postgres://db/b' });
  expect(() => sourceFlag('a=postgres://db/c', one)).toThrow('there is already a source a');
});

test.each(['shop', 'shop=postgres//reader:s3cret@db', 'postgres://reader:s3cret@db', '${URL}', ''])(
  '%j is refused without being repeated',
  (written) => {
    expect(() => sourceFlag(written, {})).toThrow(/^(?!.*s3cret).*Write --source name=url/s);
  },
);
