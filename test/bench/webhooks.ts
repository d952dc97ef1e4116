/**
 * Verifications of a webhook's signature per second, on one core, of 1 KB and 100 KB of JSON.
 * Run with: node test/bench/webhooks.ts
 */
import { verify as octokitVerify } from '@octokit/webhooks-methods';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';

import { signPayload, verifySignature } from '../../src/webhooks/signature.ts';

/** A table of the benchmark: a title, the names of the columns, and the cells row by row. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

interface Contestant {
  readonly name: string;
  verify(): unknown;
}

// Short turns, so that what else the machine does falls on a few of them and leaves the median alone.
const rounds = 81;
const roundMs = 10;
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Measures all contestants in turns, so that what disturbs the machine disturbs each of them alike. */
export async function run(): Promise<Table> {
  const sizes = [1_000, 100_000];
  const columns = await Promise.all(sizes.map((size) => contestants(size)));
  const medians: number[][] = [];
  for (const column of columns) medians.push(await race(column));

  const names = (columns[0] ?? []).map(({ name }) => name);
  return {
    title: 'Webhook signatures verified per second',
    columns: ['', ...sizes.flatMap((size) => [`${size / 1_000} KB`, `${size / 1_000} KB, × ours`])],
    rows: names.map((name, row) =>
      [name].concat(
        medians.flatMap((column) => {
          const perSecond = column[row] ?? Number.NaN;
          const ratio = perSecond / (column[0] ?? Number.NaN);
          return [Math.round(perSecond).toLocaleString('en'), ratio.toFixed(2)];
        }),
      ),
    ),
  };
}

async function contestants(size: number): Promise<Contestant[]> {
  const body =
    JSON.stringify({ event_type: 'alert.triggered', text: 'x'.repeat(size) }).slice(0, size - 2) + '"}';
  const bytes = new TextEncoder().encode(body);
  const header = await signPayload(body, secret);
  const standard = new StandardWebhook(secret);
  const svix = new SvixWebhook(secret);
  const now = new Date();
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const id = 'msg_1';
  const standardHeaders = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.sign(id, now, body),
  };
  const svixHeaders = {
    'svix-id': id,
    'svix-timestamp': timestamp,
    'svix-signature': svix.sign(id, now, body),
  };
  return [
    { name: 'data-quality-client, text', verify: () => verifySignature(body, header, secret) },
    { name: 'data-quality-client, bytes', verify: () => verifySignature(bytes, header, secret) },
    { name: '@octokit/webhooks-methods', verify: () => octokitVerify(secret, body, header) },
    // These two parse the JSON as part of verifying it.
    { name: 'standardwebhooks', verify: () => standard.verify(body, standardHeaders) },
    { name: 'svix', verify: () => svix.verify(body, svixHeaders) },
  ];
}

/** The median of the verifications per second of each contestant. */
async function race(entrants: readonly Contestant[]): Promise<number[]> {
  const speeds = entrants.map((): number[] => []);
  for (let round = -2; round < rounds; round += 1) {
    for (let turn = 0; turn < entrants.length; turn += 1) {
      // Each round starts with another one: the first of a round pays for the garbage of the last.
      const index = (turn + round + 2) % entrants.length;
      const speed = await measure(entrants[index]);
      if (round >= 0) speeds[index]?.push(speed);
    }
  }
  return speeds.map((each) => each.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN);
}

async function measure(contestant: Contestant | undefined): Promise<number> {
  const start = performance.now();
  let count = 0;
  let elapsed = 0;
  while (elapsed < roundMs) {
    for (let repeat = 0; repeat < 10; repeat += 1) {
      if ((await contestant?.verify()) === false)
        throw new Error(`${contestant?.name} refuses what was signed`);
    }
    count += 10;
    elapsed = performance.now() - start;
  }
  return (count / elapsed) * 1_000;
}

if (import.meta.main) {
  const { title, columns, rows } = await run();
  console.log(title);
  console.table(
    rows.map((row) => Object.fromEntries(row.map((cell, index) => [columns[index] ?? '', cell]))),
  );
}
