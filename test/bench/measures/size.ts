import { measureBundles } from '../../bundle-size.ts';
import type { Table } from '../table.ts';

/** What each entry adds to a bundle. */
export async function bundleSizes(): Promise<Table> {
  return {
    title: 'Size',
    note: 'Each entry alone, bundled with its dependencies for a browser, minified and gzipped, in kB; `npm test` holds them to their budgets. To reach for the whole client: 30, of which ky, p-retry and zod take 20.',
    columns: ['', 'kB', 'budget'],
    rows: (await measureBundles()).map(({ entry, size, budget }) => [
      entry,
      kilobytes(size),
      kilobytes(budget),
    ]),
  };
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
