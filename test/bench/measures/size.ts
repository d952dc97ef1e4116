import { measureBundles, measureParts } from '../../support/bundle-size.ts';
import type { Table } from '../table.ts';

/** What each entry adds to a bundle. */
export async function bundleSizes(): Promise<Table> {
  return {
    title: 'Size',
    note: 'Each entry alone, bundled with its dependencies for a browser, minified and gzipped, in kB; `npm test` holds them to their budgets. To reach for the whole client: 30.',
    columns: ['', 'kB', 'budget'],
    rows: (await measureBundles()).map(({ entry, size, budget }) => [
      entry,
      kilobytes(size),
      kilobytes(budget),
    ]),
  };
}

/** Which package the bytes of the client come from. */
export async function bundleParts(): Promise<Table> {
  const parts = await measureParts();
  return {
    title: 'Size of the client alone, by package',
    note: 'Minified, before compression, in kB. ky loads with the first call: a bundler that splits puts it into a file of its own.',
    columns: ['', 'kB'],
    rows: [...parts].map(([name, size]) => [name, kilobytes(size)]),
  };
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
