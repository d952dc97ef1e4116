import { expect, test } from 'vitest';

import { readManifest } from '../../src/service/manifest.ts';

test('more values than fit into memory are refused before they are parsed', () => {
  expect(() => readManifest(`{"nodes":[${'[],'.repeat(3_000_000)}[]]}`)).toThrow(
    expect.objectContaining({
      status: 400,
      message: expect.stringContaining('more than 5000000 values') as unknown,
    }),
  );
});
