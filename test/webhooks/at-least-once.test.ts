import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { afterEach, expect, test } from 'vitest';

import { alertBody, signed } from './deliveries.ts';
import { isRedisInstalled, startRedis } from '../support/redis-server.ts';
import { testFolder } from '../support/test-folder.ts';

const program = fileURLToPath(new URL('receiver.ts', import.meta.url));
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function openJournal(): string {
  const folder = mkdtempSync(join(testFolder, 'webhooks-'));
  cleanups.push(() => rmSync(folder, { recursive: true }));
  const journal = join(folder, 'journal');
  writeFileSync(journal, '');
  return journal;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A receiver that can be killed and started again at its address. */
class Receiver {
  readonly url: string;
  readonly killed: number[] = [];
  readonly #args: string[];
  #process: ChildProcess | undefined;

  constructor(port: number, args: readonly string[]) {
    this.url = `http://127.0.0.1:${port}`;
    this.#args = [program, String(port), ...args];
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, this.#args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = child;
    await once(child.stdout, 'data');
  }

  async kill(): Promise<void> {
    const child = this.#process;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    this.killed.push(child.pid);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}

async function startReceiver(args: readonly string[]): Promise<Receiver> {
  const receiver = new Receiver(await freePort(), args);
  cleanups.push(() => receiver.kill());
  await receiver.start();
  return receiver;
}

/** Delivers each of 100 alerts ten times, the ten at about the same time, each until it is acknowledged. */
async function deliverAll(
  receivers: readonly Receiver[],
  killAt: ReadonlyMap<number, Receiver>,
): Promise<void> {
  const deadline = Date.now() + 50_000;
  const restarts: Promise<void>[] = [];
  let next = 0;
  let acknowledged = 0;

  async function deliver(number: number): Promise<void> {
    const options = await signed(alertBody(`a${Math.floor(number / 10)}`));
    for (let attempt = number; Date.now() < deadline; attempt += 1) {
      const url = receivers[attempt % receivers.length]?.url ?? '';
      const status = await fetch(url, options).then(
        (answer) => answer.status,
        () => 'no answer',
      );
      if (status === 200) return;
      expect(['no answer', 500, 409]).toContain(status);
      await sleep(20 + Math.random() * 40);
    }
    throw new Error(`delivery ${number} was never acknowledged`);
  }

  async function work(): Promise<void> {
    while (next < 1_000) {
      next += 1;
      await deliver(next - 1);
      acknowledged += 1;
      const victim = killAt.get(acknowledged);
      if (victim !== undefined) restarts.push(victim.kill().then(() => victim.start()));
    }
  }

  await Promise.all(Array.from({ length: 50 }, work));
  await Promise.all(restarts);
}

/** How often each alert was handled to success, and every moment at which two had it in hand at once. */
function read(journal: string, killed: readonly number[]) {
  const ends = new Map<string, number[]>();
  const inHand = new Map<string, number>();
  const twiceAtOnce: string[] = [];
  let failures = 0;
  for (const line of readFileSync(journal, 'utf8').trim().split('\n')) {
    const [what, id = '', pidText] = line.split(' ');
    const pid = Number(pidText);
    if (what === 'start') {
      const other = inHand.get(id);
      if (other !== undefined && (other === pid || !killed.includes(other))) twiceAtOnce.push(line);
      inHand.set(id, pid);
      continue;
    }
    if (inHand.get(id) === pid) inHand.delete(id);
    if (what === 'fail') failures += 1;
    if (what === 'end') ends.set(id, [...(ends.get(id) ?? []), pid]);
  }
  return { ends, twiceAtOnce, failures };
}

test(
  '1,000 deliveries of 100 alerts, a third failing, the receiver killed three times: all handled, none twice at once',
  {
    timeout: 90_000,
  },
  async () => {
    const journal = openJournal();
    const receiver = await startReceiver([journal]);
    await deliverAll([receiver], new Map([200, 500, 800].map((count) => [count, receiver])));

    const { ends, twiceAtOnce, failures } = read(journal, receiver.killed);
    expect(receiver.killed).toHaveLength(3);
    expect(twiceAtOnce).toEqual([]);
    expect(ends.size).toBe(100);
    expect(failures).toBeGreaterThan(10);
    // What memory holds is lost with its process, but within one life an alert is handled once.
    for (const pids of ends.values()) expect(new Set(pids).size).toBe(pids.length);
  },
);

test.skipIf(!isRedisInstalled)(
  'the same on two receivers that share a Redis: none is handled again by one that lived on',
  { timeout: 90_000 },
  async () => {
    const redis = await startRedis();
    cleanups.push(() => redis.stop());
    const journal = openJournal();
    const [one, two] = [
      await startReceiver([journal, `${redis.port}`]),
      await startReceiver([journal, `${redis.port}`]),
    ];
    await deliverAll(
      [one, two],
      new Map([
        [150, one],
        [350, two],
        [550, one],
        [750, two],
      ]),
    );

    const killed = [...one.killed, ...two.killed];
    const { ends, twiceAtOnce, failures } = read(journal, killed);
    expect(killed).toHaveLength(4);
    expect(twiceAtOnce).toEqual([]);
    expect(ends.size).toBe(100);
    expect(failures).toBeGreaterThan(10);
    // Only one that was killed between handling an alert and noting so can make it be handled again.
    for (const pids of ends.values())
      expect(pids.slice(0, -1).filter((pid) => !killed.includes(pid))).toEqual([]);
  },
);
