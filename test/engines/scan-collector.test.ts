import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { ScanCollector } from '../../src/engines/scan-collector.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A collector whose scans take 100 ms and return each aggregate in capitals; the text "bad" fails, "slow" overruns. */
function createCollector() {
  const scans: string[] = [];
  const ended: string[] = [];
  const collector = new ScanCollector<string, string>({
    keyOf: (source) => source.slice(0, 1),
    slowness: (source) => (source === 'z' ? 10 : 1),
    merge: (a, b) => (a.length > 1 && b.length > 1 && a !== b ? undefined : a.length > 1 ? a : b),
    scan: async (source, aggregates, signal) => {
      signal.addEventListener('abort', () => ended.push(`${source}: ${aggregates.join(' ')}`));
      scans.push(`${source}: ${aggregates.join(' ')}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (source === 'missing') throw new Error('there is no such table');
      const broken = aggregates.find((aggregate) => /bad|slow|gone/.test(aggregate));
      if (broken !== undefined) throw new Error(`${broken} failed`);
      return aggregates.map((aggregate) => aggregate.toUpperCase());
    },
    afterFailure: (error) =>
      String(error).includes('slow') ? 'each' : String(error).includes('gone') ? 'none' : 'halves',
  });
  const ask = async (source: string, ...aggregates: string[]) =>
    collector.aggregate(source, aggregates).then(
      (values) => values.join(' '),
      (error: unknown) => String(error),
    );
  const leave = async (signal: AbortSignal, source: string, aggregate: string) =>
    collector.aggregate(source, [aggregate], signal).then(String, (error: unknown) => String(error));
  const announce = (source: string) => collector.announce(source);
  return { ask, leave, announce, scans, ended };
}

async function settled<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  const all = Promise.all(promises);
  await vi.runAllTimersAsync();
  return all;
}

describe('requests of the same time', () => {
  test('share one scan of their source, and each aggregate is computed once', async () => {
    const { ask, scans } = createCollector();
    const answers = await settled([ask('a', 'n', 'x'), ask('b', 'n'), ask('a', 'n', 'y'), ask('a', 'x')]);
    expect(answers).toEqual(['N X', 'N', 'N Y', 'X']);
    expect(scans.toSorted()).toEqual(['a: n x y', 'b: n']);
  });

  test('wait for those that are announced for their source, until these were made or 5 s are over', async () => {
    const { ask, announce, scans } = createCollector();
    const first = ask('a', 'x');
    const [made, never] = [announce('a'), announce('b')];
    const others = [ask('b', 'x'), ask('c', 'x')];
    await vi.advanceTimersByTimeAsync(2000);
    expect(scans).toEqual(['c: x']);
    const second = ask('a', 'y');
    made();
    made();
    await vi.advanceTimersByTimeAsync(2990);
    expect(scans).toEqual(['c: x', 'a: x y']);
    await settled([first, second, ...others]);
    expect(scans).toEqual(['c: x', 'a: x y', 'b: x']);
    never();
    await settled([ask('b', 'y')]);
    expect(scans.at(-1)).toBe('b: y');
  });

  test('are gathered longer for a source that is slow to scan', async () => {
    const { ask, scans } = createCollector();
    const requests: Promise<string>[] = [];
    for (let at = 0; at < 5; at += 1) {
      requests.push(ask('z', `x${at}`));
      await vi.advanceTimersByTimeAsync(25);
    }
    expect(scans).toEqual([]);
    await settled(requests);
    expect(scans).toEqual(['z: x0 x1 x2 x3 x4']);
  });

  test('are gathered until none has come for 3 ms, but no longer than 20 ms', async () => {
    const { ask, scans } = createCollector();
    const answers: Promise<string>[] = [];
    for (let at = 0; at < 12; at += 1) {
      answers.push(ask('a', `x${at}`));
      await vi.advanceTimersByTimeAsync(2);
    }
    await settled(answers);
    expect(scans.map((scan) => scan.split(' ').length - 1)).toEqual([10, 2]);
  });

  test('that come while their source is scanned wait for the next scan; those of another do not', async () => {
    const { ask, scans } = createCollector();
    const first = ask('a', 'x');
    await vi.advanceTimersByTimeAsync(50);
    const others = [ask('a', 'y'), ask('b', 'y')];
    await vi.advanceTimersByTimeAsync(40);
    expect(scans).toEqual(['a: x', 'b: y']);
    others.push(ask('a', 'z'));
    expect(await settled([first, ...others])).toEqual(['X', 'Y', 'Y', 'Z']);
    expect(scans).toEqual(['a: x', 'b: y', 'a: y z']);
  });

  test('share a scan if one source serves them, and are scanned at once if not', async () => {
    const { ask, scans } = createCollector();
    const sources = ['a', 'a:1', 'a:2', 'a', 'a:1', 'b'];
    const answers = await settled(sources.map(async (source, at) => ask(source, `x${at}`)));
    expect(answers).toEqual(['X0', 'X1', 'X2', 'X3', 'X4', 'X5']);
    expect(scans.toSorted()).toEqual(['a:1: x0 x1 x3 x4', 'a:2: x2', 'b: x5']);
  });

  test('are split over scans of at most 200 aggregates', async () => {
    const { ask, scans } = createCollector();
    const names = Array.from({ length: 250 }, (_, at) => `x${at}`);
    const answers = await settled(names.map(async (name) => ask('a', name)));
    expect(answers).toEqual(names.map((name) => name.toUpperCase()));
    expect(scans.map((scan) => scan.split(' ').length - 1)).toEqual([200, 50]);
  });
});

describe('a request that fails', () => {
  test('fails alone, with its own error', async () => {
    const { ask } = createCollector();
    const names = ['a', 'bad1', 'c', 'd', 'e', 'bad2', 'g'];
    expect(await settled(names.map(async (name) => ask('t', name)))).toEqual([
      'A',
      'Error: bad1 failed',
      'C',
      'D',
      'E',
      'Error: bad2 failed',
      'G',
    ]);
  });

  test('among many costs a few scans more, not one per request', async () => {
    const { ask, scans } = createCollector();
    const names = Array.from({ length: 64 }, (_, at) => (at === 40 ? 'bad' : `x${at}`));
    const answers = await settled(names.map(async (name) => ask('t', name)));
    expect(answers.filter((answer) => answer.startsWith('Error'))).toEqual(['Error: bad failed']);
    expect(scans.length).toBeLessThanOrEqual(2 + 2 * Math.log2(64));
  });

  test('is looked for one by one when it overran, and the next requests do not wait for that', async () => {
    const { ask, scans } = createCollector();
    const first = ['a', 'slow', 'c'].map(async (name) => ask('t', name));
    await vi.advanceTimersByTimeAsync(110);
    const next = ask('t', 'd');
    await vi.advanceTimersByTimeAsync(10);
    expect(scans).toEqual(['t: a slow c', 't: a', 't: slow', 't: c', 't: d']);
    expect(await settled([...first, next])).toEqual(['A', 'Error: slow failed', 'C', 'D']);
  });

  test('fails the others too when the error is of neither the data nor a request', async () => {
    const { ask, scans } = createCollector();
    const answers = await settled(['a', 'gone'].map(async (name) => ask('t', name)));
    expect(answers).toEqual(['Error: gone failed', 'Error: gone failed']);
    expect(scans).toHaveLength(1);
  });

  test('is not looked for when the source itself cannot be read', async () => {
    const { ask, scans } = createCollector();
    const names = Array.from({ length: 16 }, (_, at) => `x${at}`);
    const answers = await settled(names.map(async (name) => ask('missing', name)));
    expect(new Set(answers)).toEqual(new Set(['Error: there is no such table']));
    expect(scans).toHaveLength(2);
  });
});

describe('a caller who leaves', () => {
  const gone = 'AbortError: This operation was aborted';

  test('gets the reason at once, and does not end the scan that others wait for', async () => {
    const { ask, leave, ended } = createCollector();
    const caller = new AbortController();
    const left = leave(caller.signal, 'a', 'x');
    const stays = ask('a', 'y');
    await vi.advanceTimersByTimeAsync(50);
    caller.abort();
    expect(await left).toBe(gone);
    expect(await settled([stays])).toEqual(['Y']);
    expect(ended).toEqual([]);
  });

  test('ends the scan when it was the last who waited for it', async () => {
    const { leave, ended } = createCollector();
    const callers = [new AbortController(), new AbortController()];
    const left = callers.map(async ({ signal }, at) => leave(signal, 'a', `x${at}`));
    await vi.advanceTimersByTimeAsync(50);
    callers[0]?.abort();
    expect(ended).toEqual([]);
    callers[1]?.abort();
    expect(ended).toEqual(['a: x0 x1']);
    expect(await settled(left)).toEqual([gone, gone]);
  });

  test('before the scan begins is not part of it', async () => {
    const { ask, leave, scans } = createCollector();
    const caller = new AbortController();
    const left = leave(caller.signal, 'a', 'x');
    const stays = ask('a', 'y');
    caller.abort();
    expect(await settled([left, stays])).toEqual([gone, 'Y']);
    expect(await leave(caller.signal, 'a', 'z')).toBe(gone);
    expect(scans).toEqual(['a: y']);
  });
});
