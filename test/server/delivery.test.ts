import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, test, vi } from 'vitest';

import { FakeClock } from '../support/fake-clock.ts';
import { kill, type Running, start } from '../support/process.ts';
import { dribble, pour, receive } from './receiver.ts';
import { dataFolder, serve } from '../support/served.ts';

const second = 1000;
const minute = 60 * second;

function configuration(...urls: readonly string[]) {
  return JSON.stringify({ destinations: urls.map((url, at) => ({ name: `to ${at}`, url, secret: 's' })) });
}

describe('attempts', () => {
  test('are five, at 0, 1, 5, 15 and 60 minutes, then the alert has failed', async () => {
    await using receiver = await receive();
    const clock = new FakeClock();
    const started = clock.now();
    const times: number[] = [];
    receiver.answering.answer = (_request, response) => {
      times.push((clock.now() - started) / minute);
      response.writeHead(500).end();
    };
    await using served = await serve(
      { 'a.csv': 'a\n1\n', 'dq.json': configuration(receiver.url) },
      { clock },
    );
    // The schedule and the watch sleep a minute each, beside the delivery that waits for its next attempt.
    const others = [minute, minute];
    for (const wait of [1, 5, 15, 60].map((minutes) => minutes * minute)) {
      await clock.until([...others, wait]);
      clock.advance(wait - minute);
      await clock.until([minute, ...others]);
      clock.advance(minute);
    }
    await clock.until(others);
    clock.advance(1000 * minute);
    await clock.until(others);
    expect(times).toEqual([0, 1, 6, 21, 81]);
    const ids = new Set(receiver.received.map(({ alert }) => alert.alert?.id));
    expect(ids.size).toBe(1);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    await served.service.close();
    const state = await DuckDBInstance.create(join(served.service.state, 'state.duckdb'));
    const connection = await state.connect();
    const rows = await connection.runAndReadAll('SELECT status, attempts, last_error FROM deliveries');
    expect(rows.getRows()).toEqual([['failed', 5, 'responded with 500']]);
    state.closeSync();
  });

  test('end with the first 2xx', async () => {
    await using receiver = await receive();
    const clock = new FakeClock();
    let failures = 2;
    receiver.answering.answer = (_request, response) => {
      failures -= 1;
      response.writeHead(failures >= 0 ? 503 : 202).end();
    };
    await using running = new AsyncDisposableStack();
    running.use(await serve({ 'a.csv': 'a\n1\n', 'dq.json': configuration(receiver.url) }, { clock }));
    await clock.until([minute, minute, minute]);
    clock.advance(minute);
    await clock.until([minute, minute, 5 * minute]);
    clock.advance(5 * minute);
    await clock.until([minute, minute]);
    clock.advance(100 * minute);
    await clock.until([minute, minute]);
    expect(receiver.received).toHaveLength(3);
  });
});

interface Misbehaviour {
  readonly title: string;
  readonly answer: (response: ServerResponse) => void;
  /** What sleeps then, beside the schedule and the watch: the time an attempt may take, the wait for the next one. */
  readonly waits: readonly number[];
}

const misbehaviours: readonly Misbehaviour[] = [
  { title: 'hangs', answer: () => undefined, waits: [30 * second] },
  { title: 'resets', answer: (response) => response.socket?.resetAndDestroy(), waits: [minute] },
  {
    title: 'redirects',
    answer: (response) => response.writeHead(307, { Location: '/elsewhere' }).end(),
    waits: [minute],
  },
  { title: 'answers gigabytes', answer: pour, waits: [] },
  { title: 'answers without end', answer: dribble, waits: [minute] },
  {
    title: 'breaks off its head',
    answer: (response) => response.socket?.end('HTTP/1.1 20'),
    waits: [minute],
  },
  {
    title: 'speaks no http',
    answer: (response) => response.socket?.end('220 mail ready\r\n'),
    waits: [minute],
  },
];

describe('a destination that', () => {
  test.each(misbehaviours)('$title delays no other', async ({ answer, waits }) => {
    await using bad = await receive();
    await using good = await receive();
    const clock = new FakeClock();
    bad.answering.answer = (_request, response) => answer(response);
    await using served = await serve(
      { 'a.csv': 'a\n1\n', 'dq.json': configuration(bad.url, good.url) },
      { clock },
    );
    await clock.until([...waits, minute, minute]);
    const count = 12;
    for (let table = 0; table < count; table += 1) await served.folder.write(`t${table}.csv`, 'a\n1\n');
    clock.advance(minute);
    // From here the clock stands still: what hangs goes on hanging.
    await vi.waitFor(() => expect(good.tables().size).toBe(count), 10_000);
    // The service itself still responds.
    expect(await served.check('a', { rule_type: 'NOT_NULL', column_name: 'a' })).toMatchObject({
      status: 'pass',
    });
  });

  test('hangs is given 30 seconds, then tried again', async () => {
    await using receiver = await receive();
    const clock = new FakeClock();
    const times: number[] = [];
    const started = clock.now();
    receiver.answering.answer = () => times.push((clock.now() - started) / second);
    await using running = new AsyncDisposableStack();
    running.use(await serve({ 'a.csv': 'a\n1\n', 'dq.json': configuration(receiver.url) }, { clock }));
    await clock.until([30 * second, minute, minute]);
    await vi.waitFor(() => expect(times).toEqual([0]), 10_000);
    clock.advance(30 * second);
    await clock.until([30 * second, 30 * second, minute]);
    clock.advance(30 * second);
    await clock.until([30 * second, minute, minute]);
    clock.advance(30 * second);
    await clock.until([30 * second, 30 * second, 30 * second]);
    await vi.waitFor(() => expect(times).toEqual([0, 90]), 10_000);
  });
});

/** Waits until a service has recorded an attempt to deliver, and no other. */
async function attempted(running: Running, attempt: object): Promise<void> {
  const attempts = () => running.log.filter(({ event }) => event === 'delivery');
  await vi.waitFor(() => expect(attempts()).toMatchObject([attempt]), 20_000);
}

/** In which an attempt that is due at the start is made, in ms. */
const longEnough = 500;

describe('over restarts', () => {
  test(
    'what a receiver that was down missed arrives, whichever side was killed',
    { timeout: 60_000 },
    async () => {
      const free = await receive();
      const { port } = free;
      await free[Symbol.asyncDispose]();
      await using folder = await dataFolder({
        'a.csv': 'a\n1\n',
        'dq.json': configuration(`http://127.0.0.1:${port}/alerts`),
      });
      // Nobody listens: the first attempt fails, then the service is killed.
      const first = await start(folder.path);
      await attempted(first, { status: 'pending', attempts: 1 });
      await kill(first);

      // Now somebody listens, but cuts off each request before its response: killed at that moment.
      const breaking = await receive(port);
      breaking.answering.answer = (_request, response) => response.socket?.resetAndDestroy();
      const again = await start(folder.path, 2 * minute);
      await attempted(again, { status: 'pending', attempts: 2 });
      await kill(again);
      await breaking[Symbol.asyncDispose]();
      expect(breaking.received).toHaveLength(1);

      // The next attempt waits five minutes from the second one.
      await using receiver = await receive(port);
      const third = await start(folder.path, 4 * minute);
      await setTimeout(longEnough);
      expect(receiver.received).toHaveLength(0);
      await kill(third);
      const fourth = await start(folder.path, 8 * minute);
      await attempted(fourth, { status: 'delivered', attempts: 3 });
      expect(receiver.received).toHaveLength(1);
      expect(receiver.received[0]?.text).toBe(breaking.received[0]?.text);
      await kill(fourth);
      const fifth = await start(folder.path, 100 * minute);
      await setTimeout(longEnough);
      await kill(fifth);
      expect(receiver.received).toHaveLength(1);
    },
  );
});
