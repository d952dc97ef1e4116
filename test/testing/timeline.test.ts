import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { Timeline } from '../../src/testing/timeline.ts';

test('whatever the clock does, a page is what sorting everything would give', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(9)),
      fc.record({ limit: fc.integer({ min: 1, max: 10 }), offset: fc.nat(30) }),
      (times, { limit, offset }) => {
        const timeline = new Timeline<{ id: number; time: string }>(({ time }) => time);
        const items = times.map((time, id) => ({ id, time: String(time) }));
        for (const item of items) timeline.add(item);
        const newestFirst = items.toSorted((a, b) => Number(b.time) - Number(a.time) || b.id - a.id);
        expect(timeline.list({ limit, offset })).toEqual({
          items: newestFirst.slice(offset, offset + limit),
          total: items.length,
        });
        expect(timeline.newest).toEqual(newestFirst[0]);
      },
    ),
  );
});
