import { expect, it } from 'vitest';

import { measureBundles } from './support/bundle-size.ts';

it('keeps every entry within its budget, minified and gzipped, with its dependencies', async () => {
  const bundles = await measureBundles();
  expect(bundles.filter(({ size, budget }) => size > budget)).toEqual([]);
});
