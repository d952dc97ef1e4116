import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';

import { createMemoryDedupe, createWebhookHandler, signPayload } from 'data-quality-client/webhooks';
import type { AlertEvent, Dedupe, WebhookHandlerOptions } from 'data-quality-client/webhooks';

import { alertBody, delivery, secret, signed } from './deliveries.ts';

afterEach(() => {
  vi.useRealTimers();
});

function setUp(options: Partial<WebhookHandlerOptions> = {}) {
  const handled: string[] = [];
  const errors: unknown[] = [];
  const handle = createWebhookHandler({
    secret,
    onAlert: ({ alert }) => void handled.push(alert.id),
    onError: (error) => void errors.push(error),
    ...options,
  });
  const deliver = async (id: string): Promise<number> => (await handle(await delivery(alertBody(id)))).status;
  return { handle, deliver, handled, errors };
}

function padded(length: number): string {
  const body = alertBody('a1');
  return body + ' '.repeat(length - body.length);
}

async function failing(): Promise<never> {
  throw new Error('store is down');
}

describe('responds with', () => {
  test('200 once the alert was handled', async () => {
    const { deliver, handled, errors } = setUp();
    expect(await deliver('a1')).toBe(200);
    expect(handled).toEqual(['a1']);
    expect(errors).toEqual([]);
  });

  test('what is handled is what was sent, typed', async () => {
    const onAlert = vi.fn<(event: AlertEvent) => void>();
    const { handle } = setUp({ onAlert });
    await handle(await delivery(alertBody('a1', { type: 'volume_drop', extra: 1 })));
    expect(onAlert).toHaveBeenCalledExactlyOnceWith(
      JSON.parse(alertBody('a1', { type: 'volume_drop', extra: 1 })),
    );
    expectTypeOf<Parameters<WebhookHandlerOptions['onAlert']>[0]>().toEqualTypeOf<AlertEvent>();
  });

  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])('405 to %s', async (method) => {
    const { handle } = setUp();
    const answer = await handle(new Request('https://receiver.test', { method }));
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  });

  test('400 to a signed body that is not a JSON object', async () => {
    const { handle, handled, errors } = setUp();
    for (const body of ['', 'no json', 'null', '[1]', '\u0000']) {
      expect((await handle(await delivery(body))).status).toBe(400);
    }
    expect(handled).toEqual([]);
    expect(errors).toHaveLength(5);
    expect(errors[0]).toMatchObject({ name: 'WebhookVerificationError', reason: 'not_json' });
  });

  test('401 to a missing, malformed, foreign or stolen signature, before anything is parsed', async () => {
    const { handle, handled, errors } = setUp();
    const parse = vi.spyOn(JSON, 'parse');
    const body = 'no json';
    const foreign = await signPayload(body, 'another secret');
    const stolen = await signPayload(alertBody('a1'), secret);
    for (const header of [undefined, '', 'sha256=', foreign, stolen]) {
      const headers: Record<string, string> = header === undefined ? {} : { 'x-service-signature': header };
      const answer = await handle(new Request('https://receiver.test', { method: 'POST', body, headers }));
      expect(answer.status).toBe(401);
      expect(await answer.text()).toBe('');
    }
    expect(parse).not.toHaveBeenCalled();
    expect(handled).toEqual([]);
    expect(errors.map((error) => (error as { reason: string }).reason)).toEqual([
      'missing_signature',
      ...Array<string>(4).fill('bad_signature'),
    ]);
  });

  test('either secret is good while one is being replaced', async () => {
    const { deliver } = setUp({ secret: ['new', secret] });
    expect(await deliver('a1')).toBe(200);
    expect(await setUp({ secret: ['new'] }).deliver('a1')).toBe(401);
  });

  test.each([
    [{ bearer: 'token' }, 'authorization', 'Bearer token'],
    [{ apiKey: 'k3y' }, 'x-api-key', 'k3y'],
  ])('401 to anything but the credentials %j', async (auth, name, right) => {
    const { handle, errors } = setUp({ auth });
    for (const wrong of [
      undefined,
      '',
      'Bearer ',
      `${right}x`,
      right.slice(0, -1),
      right.toUpperCase(),
      `x${right}`,
    ]) {
      const headers: Record<string, string> = wrong === undefined ? {} : { [name]: wrong };
      expect((await handle(await delivery(alertBody('a1'), headers))).status).toBe(401);
    }
    expect(errors[0]).toMatchObject({ reason: 'bad_credentials' });
    expect((await handle(await delivery(alertBody('a1'), { [name]: right }))).status).toBe(200);
  });

  test('500 and no internals when onAlert fails, and then handles the next attempt', async () => {
    let failures = 2;
    const { handle, deliver, errors } = setUp({
      onAlert: () => {
        failures -= 1;
        if (failures >= 0) throw new Error('password=hunter2');
      },
    });
    const answer = await handle(await delivery(alertBody('a1')));
    expect(answer.status).toBe(500);
    expect(await answer.text()).toBe('');
    expect([...answer.headers].join()).not.toContain('hunter2');
    expect(await deliver('a1')).toBe(500);
    expect(await deliver('a1')).toBe(200);
    expect(await deliver('a1')).toBe(200);
    expect(failures).toBe(-1);
    expect(errors).toHaveLength(2);
  });

  test('a reporter that throws does not change the response', async () => {
    const { handle } = setUp({
      onError: () => {
        throw new Error('no log');
      },
    });
    expect((await handle(await delivery('no json'))).status).toBe(400);
  });

  test('a body that was read already is an error that says what to change', async () => {
    const { handle } = setUp();
    const request = await delivery(alertBody('a1'));
    await request.json();
    await expect(handle(request)).rejects.toMatchObject({
      reason: 'body_already_parsed',
      message: expect.stringContaining('request.clone()'),
    });
  });
});

describe('size', () => {
  test('413 by the announced length, with no byte read', async () => {
    const { handle } = setUp({ maxBytes: 100 });
    const pull = vi.fn<() => void>();
    const request = new Request('https://receiver.test', {
      method: 'POST',
      headers: { 'x-service-signature': 'sha256=0', 'content-length': '101' },
      body: new ReadableStream({ pull }, { highWaterMark: 0 }),
      duplex: 'half',
    });
    expect((await handle(request)).status).toBe(413);
    expect(pull).not.toHaveBeenCalled();
  });

  test('413 at the first chunk beyond the limit, of a body without end', async () => {
    const { handle } = setUp({ maxBytes: 100_000 });
    let chunks = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          chunks += 1;
          controller.enqueue(new Uint8Array(10_000));
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { 'x-service-signature': 'sha256=0' };
    const request = new Request('https://receiver.test', { method: 'POST', headers, body, duplex: 'half' });
    expect((await handle(request)).status).toBe(413);
    expect(chunks).toBe(11);
  });

  test('a body of exactly the limit is handled, by default 1 MiB', async () => {
    const { handle } = setUp();
    expect((await handle(await delivery(padded(1024 * 1024)))).status).toBe(200);
    expect((await handle(await delivery(padded(1024 * 1024 + 1)))).status).toBe(413);
  });

  test('a body that announces exactly the limit is handled', async () => {
    const body = padded(1000);
    const { handle, handled } = setUp({ maxBytes: 1000 });
    expect((await handle(await delivery(body, { 'content-length': '1000' }))).status).toBe(200);
    expect(handled).toEqual(['a1']);
  });

  test('a request without any body is refused as not JSON', async () => {
    const { handle, errors } = setUp();
    const headers = { 'x-service-signature': await signPayload('', secret) };
    const request = new Request('https://receiver.test', { method: 'POST', headers });
    expect(request.body).toBeNull();
    expect((await handle(request)).status).toBe(400);
    expect(errors).toMatchObject([{ reason: 'not_json' }]);
  });

  test('an unsigned body is not read at all', async () => {
    const { handle } = setUp();
    const pull = vi.fn<() => void>();
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const request = new Request('https://receiver.test', { method: 'POST', body, duplex: 'half' });
    expect((await handle(request)).status).toBe(401);
    expect(pull).not.toHaveBeenCalled();
  });

  test('a body that breaks off is refused, so that it is delivered again', async () => {
    const { handle, errors } = setUp();
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) });
    const headers = { 'x-service-signature': 'sha256=0' };
    const request = new Request('https://receiver.test', { method: 'POST', headers, body, duplex: 'half' });
    expect((await handle(request)).status).toBe(500);
    expect(errors).toHaveLength(1);
  });
});

describe('duplicates', () => {
  test('of a handled alert are acknowledged without handling it again', async () => {
    const { deliver, handled } = setUp();
    expect(await Promise.all([deliver('a1'), deliver('a1'), deliver('a2')])).toEqual([200, 200, 200]);
    expect(await deliver('a1')).toBe(200);
    expect(handled).toEqual(['a1', 'a2']);
  });

  test('are not acknowledged while the first is still being handled', async () => {
    const gate = Promise.withResolvers<void>();
    const onAlert = vi.fn<() => Promise<void>>(() => gate.promise);
    const { deliver } = setUp({ onAlert });
    const answers: number[] = [];
    const all = Promise.all(
      Array.from({ length: 5 }, async () => {
        answers.push(await deliver('a1'));
      }),
    );
    await vi.waitFor(() => expect(onAlert).toHaveBeenCalled());
    await new Promise(setImmediate);
    expect(answers).toEqual([]);
    gate.resolve();
    await all;
    expect(answers).toEqual([200, 200, 200, 200, 200]);
    expect(onAlert).toHaveBeenCalledTimes(1);
  });

  test('share its failure, and the next attempt is handled', async () => {
    const gate = Promise.withResolvers<void>();
    const onAlert = vi.fn<() => Promise<void>>().mockReturnValueOnce(gate.promise).mockResolvedValue();
    const { deliver } = setUp({ onAlert });
    const both = Promise.all([deliver('a1'), deliver('a1')]);
    await vi.waitFor(() => expect(onAlert).toHaveBeenCalled());
    gate.reject(new Error('no'));
    expect(await both).toEqual([500, 500]);
    expect(await deliver('a1')).toBe(200);
    expect(onAlert).toHaveBeenCalledTimes(2);
  });

  test('at another receiver get 409 while the alert is being handled, then 200', async () => {
    const dedupe = createMemoryDedupe();
    const gate = Promise.withResolvers<void>();
    const onAlert = vi.fn<() => Promise<void>>(() => gate.promise);
    const [first, second] = [setUp({ dedupe, onAlert }), setUp({ dedupe })];
    const running = first.deliver('a1');
    await vi.waitFor(() => expect(onAlert).toHaveBeenCalled());
    expect(await second.deliver('a1')).toBe(409);
    gate.resolve();
    expect(await running).toBe(200);
    expect(await second.deliver('a1')).toBe(200);
    expect(second.handled).toEqual([]);
  });

  test('are handled elsewhere once a receiver that died has had its time', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const dedupe = createMemoryDedupe();
    const received = Promise.withResolvers<void>();
    const dies = (): Promise<void> => {
      received.resolve();
      return new Promise(() => undefined);
    };
    const [dead, alive] = [setUp({ dedupe, onAlert: dies }), setUp({ dedupe })];
    void dead.deliver('a1');
    // Not by polling, which would advance the clock.
    await received.promise;
    expect(await alive.deliver('a1')).toBe(409);
    vi.setSystemTime(Date.now() + 5 * 60_000 - 1);
    expect(await alive.deliver('a1')).toBe(409);
    vi.setSystemTime(Date.now() + 1);
    expect(await alive.deliver('a1')).toBe(200);
    expect(alive.handled).toEqual(['a1']);
  });

  test('are recognised by their content if an alert has no id', async () => {
    const { handle, handled } = setUp();
    for (const body of ['{}', '{}', '{"alert":{"id":7}}'])
      expect((await handle(await delivery(body))).status).toBe(200);
    expect(handled).toEqual(['', '']);
  });

  test('are remembered for dedupeTtl, 7 days by default', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { deliver, handled } = setUp();
    await deliver('a1');
    vi.setSystemTime(Date.now() + 7 * 24 * 3_600_000 - 1);
    await deliver('a1');
    expect(handled).toEqual(['a1']);
    vi.setSystemTime(Date.now() + 1);
    await deliver('a1');
    expect(handled).toEqual(['a1', 'a1']);
  });

  test('a store that fails makes the service try again, and a handled alert is acknowledged all the same', async () => {
    const memory = createMemoryDedupe();
    let down = true;
    const dedupe: Dedupe = {
      claim: async (id, ttlMs) => {
        if (down) throw new Error('store is down');
        return memory.claim(id, ttlMs);
      },
      release: async (id) => memory.release(id),
    };
    const { deliver, handled, errors } = setUp({
      dedupe,
      onAlert: ({ alert }) => {
        handled.push(alert.id);
        down = true;
      },
    });
    expect(await deliver('a1')).toBe(500);
    expect(handled).toEqual([]);
    down = false;
    expect(await deliver('a1')).toBe(200);
    expect(handled).toEqual(['a1']);
    expect(errors).toHaveLength(2);
  });
});

describe('acknowledgeEarly', () => {
  test('responds 202 before the alert was handled, and lets no duplicate through', async () => {
    const gate = Promise.withResolvers<void>();
    const work: Promise<void>[] = [];
    const onAlert = vi.fn<() => Promise<void>>(() => gate.promise);
    const { deliver } = setUp({ onAlert, acknowledgeEarly: (each) => void work.push(each) });
    expect(await deliver('a1')).toBe(202);
    const duplicate = deliver('a1');
    gate.resolve();
    expect(await duplicate).toBe(200);
    await Promise.all(work);
    expect(await deliver('a1')).toBe(200);
    expect(work).toHaveLength(1);
    expect(onAlert).toHaveBeenCalledTimes(1);
  });

  test('reports what failed after the response, and handles a later delivery', async () => {
    const { deliver, errors } = setUp({
      acknowledgeEarly: true,
      onAlert: vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('late')).mockResolvedValue(),
    });
    expect(await deliver('a1')).toBe(202);
    await vi.waitFor(() => expect(errors).toEqual([new Error('late')]));
    await vi.waitFor(async () => expect(await deliver('a1')).toBe(202));
  });

  test('still responds 500 if nothing could be claimed, and nothing is left unhandled', async () => {
    const { deliver } = setUp({ acknowledgeEarly: true, dedupe: { claim: failing, release: failing } });
    expect(await deliver('a1')).toBe(500);
  });
});

const unsigned = async (headers: Record<string, string>, body = alertBody('a1')) =>
  new Request('https://receiver.test/alerts', { method: 'POST', body, headers });

describe('a delivery that nobody signs', () => {
  test.each([
    [{ bearer: 'token' }, { authorization: 'Bearer token' }],
    [{ apiKey: 'key' }, { 'x-api-key': 'key' }],
  ])('is handled if its credentials are right: %j', async (auth, headers) => {
    const { handle, handled } = setUp({ secret: undefined, auth });
    expect((await handle(await unsigned(headers))).status).toBe(200);
    expect((await handle(await unsigned(headers))).status).toBe(200);
    expect(handled).toEqual(['a1']);
    expect((await handle(await unsigned({}))).status).toBe(401);
    expect((await handle(await unsigned({ authorization: 'Bearer other' }))).status).toBe(401);
  });

  test('is refused if there is a secret, whatever its credentials', async () => {
    const { handle, handled } = setUp({ auth: { bearer: 'token' } });
    expect((await handle(await unsigned({ authorization: 'Bearer token' }))).status).toBe(401);
    expect(handled).toEqual([]);
  });

  test('is known again by its content if its alert has no id', async () => {
    const { handle, handled } = setUp({ secret: undefined, auth: { bearer: 'token' } });
    for (const text of ['x', 'x', 'y']) {
      const body = JSON.stringify({ alert: { rule_name: text } });
      await handle(await unsigned({ authorization: 'Bearer token' }, body));
    }
    expect(handled).toEqual(['', '']);
  });
});

const hanging = () => new Promise<never>(() => undefined);

describe('time limits', () => {
  test('a store that hangs once makes no alert undeliverable', async () => {
    vi.useFakeTimers();
    const store = createMemoryDedupe();
    let hangs = true;
    const dedupe: Dedupe = {
      claim: async (id, ttlMs) => (hangs ? hanging() : store.claim(id, ttlMs)),
      release: async (id) => store.release(id),
    };
    const { deliver, handled, errors } = setUp({ dedupe });
    const [first, second] = [deliver('a1'), deliver('a1')];
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    await vi.advanceTimersByTimeAsync(5000);
    expect(await Promise.all([first, second])).toEqual([500, 500]);
    expect(errors.map(String)).toContain('TimeLimitError: the dedupe store took longer than 5000 ms');
    hangs = false;
    expect(await deliver('a1')).toBe(200);
    expect(handled).toEqual(['a1']);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('an onAlert that hangs is given up after handlingTimeout, and a later delivery is handled', async () => {
    vi.useFakeTimers();
    const onAlert = vi.fn<() => Promise<void>>().mockImplementationOnce(hanging).mockResolvedValue();
    const { deliver, errors } = setUp({ onAlert, handlingTimeout: 60_000 });
    const first = deliver('a1');
    await vi.waitFor(() => expect(onAlert).toHaveBeenCalledTimes(1));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await first).toBe(500);
    expect(errors.map(String)).toEqual(['TimeLimitError: onAlert took longer than 60000 ms']);
    expect(await deliver('a1')).toBe(200);
    expect(onAlert).toHaveBeenCalledTimes(2);
  });

  test('an onAlert that ends after its time is not repeated', async () => {
    vi.useFakeTimers();
    const slow = Promise.withResolvers<void>();
    const onAlert = vi.fn<() => Promise<void>>(() => slow.promise);
    const { deliver } = setUp({ onAlert, handlingTimeout: 60_000 });
    const first = deliver('a1');
    await vi.waitFor(() => expect(onAlert).toHaveBeenCalledTimes(1));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await first).toBe(500);
    slow.resolve();
    await vi.advanceTimersByTimeAsync(1);
    expect(await deliver('a1')).toBe(200);
    expect(onAlert).toHaveBeenCalledTimes(1);
  });

  test('a time limit of its own in onAlert is a failure like any other', async () => {
    const onAlert = vi
      .fn<() => Promise<void>>()
      .mockRejectedValueOnce(new DOMException('too slow', 'TimeoutError'))
      .mockResolvedValue();
    const { deliver } = setUp({ onAlert });
    expect([await deliver('a1'), await deliver('a1')]).toEqual([500, 200]);
  });
});

test('ids are remembered in bounded space, however long they are', async () => {
  const claimed: string[] = [];
  const { deliver } = setUp({
    dedupe: { claim: async (id) => claimed.push(id) > 0, release: async () => undefined },
  });
  await deliver('x'.repeat(100_000));
  await deliver('short');
  expect(claimed.every((id) => id.length < 250)).toBe(true);
  expect(new Set(claimed).size).toBe(4);
  expect(claimed).toContain('done:short');
});

test('an id of 200 characters is remembered as it is, a longer one by its digest', async () => {
  const claimed: string[] = [];
  const { deliver } = setUp({
    dedupe: { claim: async (id) => claimed.push(id) > 0, release: async () => undefined },
  });
  await deliver('x'.repeat(200));
  await deliver('y'.repeat(201));
  expect(claimed).toContain(`done:${'x'.repeat(200)}`);
  expect(claimed).toContain(`done:${await signPayload('y'.repeat(201), 'id')}`);
});

test('an alert with a very long id is known again by that id, whatever else changed', async () => {
  const { handle, handled } = setUp();
  const id = 'x'.repeat(1000);
  for (const body of [alertBody(id), alertBody(id, { extra: 1 })]) {
    expect((await handle(await delivery(body))).status).toBe(200);
  }
  expect(handled).toEqual([id]);
});

test.each([
  [{ secret: '' }, /secret/],
  [{ secret: [] }, /secret/],
  [{ secret: undefined }, /secret or auth is required/],
  [{ onAlert: undefined }, /onAlert/],
  [{ auth: { bearer: '' } }, /auth\.bearer/],
  [{ auth: {} }, /auth\.apiKey/],
  [{ maxBytes: 0 }, /maxBytes/],
  [{ maxBytes: Number.NaN }, /maxBytes/],
  [{ dedupeTtl: -1 }, /dedupeTtl/],
  [{ handlingTimeout: '5' }, /handlingTimeout/],
])('options %j are refused at once', (options, named) => {
  const make = () =>
    createWebhookHandler({ secret, onAlert: () => undefined, ...options } as WebhookHandlerOptions);
  expect(make).toThrow(
    expect.objectContaining({ code: 'CONFIGURATION', message: expect.stringMatching(named) }),
  );
});

test('of 5,000 odd requests none gets past the signature, and none makes the handler throw', async () => {
  const { handle, handled } = setUp();
  const { headers } = await signed(alertBody('a1'));
  const odd = ['', 'sha256=', 'x', headers['x-service-signature'], 'sha256=zz', '\u00ff'.repeat(71)];
  const statuses = new Set<number>();
  for (let round = 0; round < 5_000; round += 1) {
    const body = String.fromCharCode(round % 65_536, (round * 31) % 128).repeat(round % 7);
    const request = new Request('https://receiver.test', {
      method: 'POST',
      body,
      headers: { 'x-service-signature': odd[round % odd.length] ?? '' },
    });
    statuses.add((await handle(request)).status);
  }
  expect([...statuses]).toEqual([401]);
  expect(handled).toEqual([]);
});
