import { getEventListeners } from 'node:events';

import { expect, test, vi } from 'vitest';

import { AbortError, type DataQualityClient } from '../../src/index.ts';
import { assetId, createClient } from './service.ts';

/** A service whose responses the test gives one by one. */
class HeldService {
  readonly client: DataQualityClient;
  readonly started: string[] = [];
  readonly cancelled: string[] = [];
  readonly #held = new Map<string, (response: Response) => void>();

  constructor() {
    this.client = createClient({ fetch: (input, init) => this.#fetch(input, init), maxRetries: 0 });
  }

  #fetch(...parameters: Parameters<typeof fetch>): Promise<Response> {
    const request = new Request(...parameters);
    const id = request.url.split('/').at(-2) ?? '';
    this.started.push(id);
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    this.#held.set(id, resolve);
    request.signal.addEventListener('abort', () => {
      this.cancelled.push(id);
      reject(request.signal.reason);
    });
    return promise;
  }

  /** Answers the call for an id. */
  end(id: string, status = 200): void {
    const body =
      status === 200
        ? { data: { id: 1, status: 'pass', snapshots: [] } }
        : { error: { code: 'RULE_NOT_FOUND', message: 'gone', details: { rule_id: id } } };
    this.#held.get(id)?.(Response.json(body, { status }));
  }
}

/** Lets everything happen that is not waiting for the test. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    const { promise, resolve } = Promise.withResolvers<void>();
    setImmediate(resolve);
    await promise;
  }
}

/** Gives its ids, then hangs. */
async function* endless(...ids: string[]): AsyncGenerator<string> {
  yield* ids;
  await Promise.withResolvers<never>().promise;
}

const rules = (...uuids: string[]): { uuid: string }[] => uuids.map((uuid) => ({ uuid }));

test('yields outcomes as they end, each with its own rule', async () => {
  const service = new HeldService();
  const [a, b, c] = rules('a', 'b', 'c');
  const outcomes = service.client.validity.checkMany(
    assetId,
    [a, b, c].filter((rule) => rule !== undefined),
  );

  const first = outcomes.next();
  await settle();
  expect(service.started).toEqual(['a', 'b', 'c']);
  service.end('b');
  expect((await first).value).toEqual({ rule: b, result: { id: 1, status: 'pass', snapshots: [] } });
  service.end('c');
  expect((await outcomes.next()).value).toMatchObject({ rule: c });
  service.end('a');
  expect((await outcomes.next()).value).toMatchObject({ rule: a });
  expect(await outcomes.next()).toEqual({ done: true, value: undefined });
});

test('loses no outcome that ends while the caller is busy with another one', async () => {
  const service = new HeldService();
  const seen: string[] = [];
  const consuming = (async () => {
    for await (const { rule } of service.client.validity.checkMany(assetId, ['a', 'b', 'c', 'd'])) {
      seen.push(rule);
      await settle();
    }
  })();
  await settle();
  for (const id of ['a', 'b', 'c', 'd']) service.end(id);
  await consuming;
  expect(seen).toEqual(['a', 'b', 'c', 'd']);
});

test('one that fails does not touch the others', async () => {
  const service = new HeldService();
  const outcomes: unknown[] = [];
  const consuming = (async () => {
    for await (const outcome of service.client.validity.checkMany(assetId, ['a', '', 'b'])) {
      outcomes.push(outcome);
    }
  })();
  await settle();
  service.end('a', 404);
  await settle();
  service.end('b');
  await consuming;
  expect(outcomes).toMatchObject([
    { rule: '', error: { name: 'InvalidRequestError' } },
    { rule: 'a', error: { name: 'RuleNotFoundError' } },
    { rule: 'b', result: { status: 'pass' } },
  ]);
});

test('takes rules only as fast as outcomes are consumed, and never more than concurrency at once', async () => {
  const service = new HeldService();
  let taken = 0;
  async function* source(): AsyncGenerator<string> {
    for (let index = 0; ; index++) {
      taken++;
      yield `r${index}`;
    }
  }
  const outcomes = service.client.validity.checkMany(assetId, source(), { concurrency: 2 });
  const first = outcomes.next();
  await settle();
  expect(service.started).toEqual(['r0', 'r1']);
  expect(taken).toBe(2);
  service.end('r0');
  service.end('r1');
  await first;
  await settle();
  expect(taken).toBe(2);

  // The second outcome is there already; the room of the first is used when it is asked for.
  await outcomes.next();
  await settle();
  expect(taken).toBe(3);
  await outcomes.return();
});

test('leaving the loop cancels what is under way and closes the source', async () => {
  const service = new HeldService();
  let closed = false;
  function* source(): Generator<string> {
    try {
      yield* ['a', 'b', 'c', 'd'];
    } finally {
      closed = true;
    }
  }
  const consuming = (async () => {
    for await (const _ of service.client.validity.checkMany(assetId, source(), { concurrency: 3 })) break;
  })();
  await settle();
  service.end('b');
  await consuming;
  await settle();
  expect(service.started).not.toContain('d');
  expect(service.cancelled).toEqual(['a', 'c']);
  expect(closed).toBe(true);
});

test.each([
  ['before the first call', 0],
  ['while calls are under way', 1],
])('an abort %s ends it with AbortError and leaves no listener', async (_, rounds) => {
  const service = new HeldService();
  const controller = new AbortController();
  const reason = new Error('enough');
  if (rounds === 0) controller.abort(reason);
  const outcomes = service.client.validity.checkMany(assetId, ['a', 'b'], {}, { signal: controller.signal });
  const first = outcomes.next().catch((error: unknown) => error);
  await settle();
  controller.abort(reason);
  const error = await first;
  expect(error).toBeInstanceOf(AbortError);
  expect(error).toMatchObject({ cause: reason, mayHaveBeenProcessed: rounds > 0 });
  expect(service.started).toHaveLength(rounds * 2);
  await settle();
  expect(service.cancelled).toHaveLength(rounds * 2);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
});

test('an abort is not kept waiting by a source that hangs', async () => {
  const service = new HeldService();
  const controller = new AbortController();
  const outcomes = service.client.validity.checkMany(assetId, endless(), {}, { signal: controller.signal });
  const first = outcomes.next().catch((error: unknown) => error);
  await settle();
  controller.abort();
  expect(await first).toBeInstanceOf(AbortError);
});

test('a source that fails does so after the outcomes of what it gave', async () => {
  const service = new HeldService();
  const failure = new Error('the list broke off');
  function* source(): Generator<string> {
    yield 'a';
    throw failure;
  }
  const outcomes = service.client.validity.checkMany(assetId, source());
  const first = outcomes.next();
  await settle();
  service.end('a');
  expect((await first).value).toMatchObject({ rule: 'a', result: { status: 'pass' } });
  await expect(outcomes.next()).rejects.toBe(failure);
});

test('an outcome that is ready is not kept waiting by a slow source', async () => {
  const service = new HeldService();
  const outcomes = service.client.validity.checkMany(assetId, endless('a'));
  const first = outcomes.next();
  await settle();
  service.end('a');
  expect((await first).value).toMatchObject({ rule: 'a' });
  void outcomes.return();
});

/** Items of a source that is not a generator: it may go on after a failure, and knows when it is closed. */
function iterable(next: () => IteratorResult<string>, close: () => unknown): Iterable<string> {
  return {
    [Symbol.iterator]: () => ({
      next,
      return: () => {
        close();
        return { done: true, value: undefined };
      },
    }),
  };
}

test('a source that failed, or has ended, is left alone', async () => {
  const close = vi.fn<() => void>();
  const fail = vi
    .fn<() => IteratorResult<string>>()
    .mockImplementationOnce(() => {
      throw new Error('the list broke off');
    })
    .mockReturnValue({ done: true, value: undefined });
  const failing = createClient().validity.checkMany(assetId, iterable(fail, close));
  await expect(failing.next()).rejects.toThrow('the list broke off');
  expect(fail).toHaveBeenCalledTimes(1);

  const end = vi.fn<() => IteratorResult<string>>(() => ({ done: true, value: undefined }));
  const ending = createClient().validity.checkMany(assetId, iterable(end, close));
  expect(await ending.next()).toEqual({ done: true, value: undefined });
  expect(end).toHaveBeenCalledTimes(1);
  expect(close).not.toHaveBeenCalled();
});

test('what a source throws when it is closed reaches the caller', async () => {
  const service = new HeldService();
  const source: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: 'a' }),
      return: async () => {
        throw new Error('could not close the list');
      },
    }),
  };
  const outcomes = service.client.validity.checkMany(assetId, source, { concurrency: 1 });
  const first = outcomes.next();
  await settle();
  service.end('a');
  await first;
  await expect(outcomes.return()).rejects.toThrow('could not close the list');
});

test('a source that is waited for and fails to close leaves nothing unhandled', async () => {
  const unhandled = vi.fn<(reason: unknown) => void>();
  process.on('unhandledRejection', unhandled);
  const service = new HeldService();
  const controller = new AbortController();
  const source: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.withResolvers<never>().promise,
      return: async () => {
        throw new Error('could not close the list');
      },
    }),
  };
  const outcomes = service.client.validity.checkMany(assetId, source, {}, { signal: controller.signal });
  const first = outcomes.next().catch((error: unknown) => error);
  await settle();
  controller.abort();
  expect(await first).toBeInstanceOf(AbortError);
  await settle();
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test.each([0, 1.5, Number.NaN])('refuses concurrency: %s', async (concurrency) => {
  const outcomes = createClient().validity.checkMany(assetId, ['a'], { concurrency });
  await expect(outcomes.next()).rejects.toMatchObject({
    name: 'InvalidRequestError',
    message: expect.stringContaining('concurrency'),
  });
});

test('captureMany does the same, and sample_limit reaches every check', async () => {
  const service = new HeldService();
  const captures = service.client.metrics.captureMany(assetId, [{ id: 'm1' }, { id: 'm2' }]);
  const first = captures.next();
  await settle();
  service.end('m2');
  expect((await first).value).toMatchObject({ metric: { id: 'm2' }, result: { snapshots: [] } });
  await captures.return();

  const byId = service.client.metrics.captureMany(assetId, ['m3']);
  const third = byId.next();
  await settle();
  service.end('m3');
  expect((await third).value).toMatchObject({ metric: 'm3', result: { snapshots: [] } });
  await byId.return();

  const bodies: string[] = [];
  const client = createClient({
    fetch: async (input, init) => {
      bodies.push(await new Request(input, init).text());
      return Response.json({ data: { id: 1 } });
    },
  });
  for await (const _ of client.validity.checkMany(assetId, ['a', 'b'], { sample_limit: 3 }));
  expect(bodies).toEqual(['{"sample_limit":3}', '{"sample_limit":3}']);
});
