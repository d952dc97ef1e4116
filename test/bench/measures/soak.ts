import { benchFile, runNode } from '../process.ts';
import type { Table } from '../table.ts';
import type { Context } from './context.ts';

interface LeftOver {
  readonly calls: number;
  readonly items: number;
  readonly heaps: readonly number[];
  readonly afterItems: number;
  readonly listeners: number;
  readonly timers: number;
  readonly sockets: number;
}

/** What a million calls and 100,000 items leave behind. */
export async function soak({ url, shorter }: Context): Promise<Table> {
  const count = String(1_000_000 / shorter);
  const output = await runNode(['--expose-gc', benchFile('soak.ts'), `${url}/plain`, count]);
  const { calls, items, heaps, afterItems, ...left } = JSON.parse(output) as LeftOver;
  return {
    title: `${calls.toLocaleString('en')} calls and ${items.toLocaleString('en')} items`,
    note: '16 calls at a time, each with a timeout, a total timeout and the same signal. Heap in use after collecting garbage, in MB. To reach: flat, and nothing left over but the connections kept alive.',
    columns: ['', 'left over'],
    rows: [
      ['heap after a tenth of the calls', megabytes(heaps[0])],
      ['heap after half of them', megabytes(heaps[4])],
      ['heap after all of them', megabytes(heaps.at(-1))],
      ['heap after the items', megabytes(afterItems)],
      ['listeners on the signal', String(left.listeners)],
      ['timers', String(left.timers)],
      ['connections', String(left.sockets)],
    ],
  };
}

function megabytes(heap = Number.NaN): string {
  return heap.toFixed(1);
}
