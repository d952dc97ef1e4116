import { contestants } from '../contestants.ts';
import type { Cost } from '../jobs.ts';
import type { OwnCosts } from '../own-time.ts';
import { benchFile, runJob, runNode } from '../process.ts';
import { type Owner, owners } from '../profile.ts';
import { median, ratio, type Table } from '../table.ts';
import type { Context } from './context.ts';

/** Runs a job of every contestant in turn, round after round, so that a busy moment hits them all. */
async function interleave(
  rounds: number,
  job: (contestant: string) => Promise<Cost>,
): Promise<Map<string, number>> {
  const costs = new Map(Object.keys(contestants).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, list] of costs) {
      const { cpuMs, count } = await job(name);
      list.push((cpuMs * 1000) / count);
    }
  }
  return new Map([...costs].map(([name, list]) => [name, median(list)]));
}

async function toRows(medians: ReadonlyMap<string, number>, digits: number): Promise<string[][]> {
  const base = medians.get('raw-fetch') ?? Number.NaN;
  return Promise.all(
    [...medians].map(async ([key, value]) => {
      const contestant = await contestants[key]?.();
      return [
        contestant?.name ?? key,
        contestant?.validates ? 'yes' : 'no',
        value.toFixed(digits),
        ratio(value, base),
      ];
    }),
  );
}

const columns = ['', 'validates', 'µs of CPU', '× fetch'];

/** What a small GET costs: a rule, 16 calls at a time, in a process that is warm. */
export async function smallGet({ url, rounds, shorter }: Context): Promise<Table> {
  const work = { baseUrl: `${url}/plain`, count: 3000 / shorter, concurrency: 16 };
  const medians = await interleave(rounds, (name) => runJob('calls', name, work));
  return {
    title: 'CPU per small GET',
    note: `Processor time of the calling process per call, user and system; median of ${rounds} rounds. All but the first have a timeout; the line through ky shows what no client that is built on it can go below. To reach: at most 1.35 × fetch, ahead of openai's core and of all that validate.`,
    columns,
    rows: await toRows(medians, 1),
  };
}

/** Where the time of a small GET goes, for those that are made of the packages of this one. */
export async function smallGetProfile({ url, rounds, shorter }: Context): Promise<Table> {
  const work = { baseUrl: `${url}/plain`, count: 3000 / shorter, concurrency: 16 };
  const rows: string[][] = [];
  for (const key of ['raw-fetch', 'ky-alone', 'ky-zod-p-retry', 'ours']) {
    const runs: Record<Owner, number>[] = [];
    for (let round = 0; round < rounds; round++) runs.push(await runJob('profile', key, work));
    const contestant = await contestants[key]?.();
    rows.push([
      contestant?.name ?? key,
      ...owners.map((owner) => median(runs.map((run) => run[owner])).toFixed(1)),
    ]);
  }
  return {
    title: 'Where the time of a small GET goes',
    note: `µs of the main thread per call, by whose code it runs; median of ${rounds} rounds under the profiler of Node, which slows everything a little. The rest is the contestant's own code, with JSON.parse.`,
    columns: ['', ...owners],
    rows,
  };
}

/** What iterating costs per item: 50,000 snapshots, in pages of the service's default size. */
export async function iteration({ url, rounds }: Context): Promise<Table> {
  const work = { baseUrl: `${url}/plain`, limit: 100, concurrency: 1 };
  const medians = await interleave(rounds, (name) => runJob('snapshots', name, work));
  return {
    title: 'CPU per item of 50,000 snapshots, no latency',
    note: `500 pages of 100, one after the other (ours fetches one ahead); median of ${rounds} rounds. To reach: at most 1.35 × fetch.`,
    columns,
    rows: await toRows(medians, 2),
  };
}

/** The same over a network that takes 30 ms. */
export async function latency({ url, rounds }: Context): Promise<Table> {
  const work = { baseUrl: `${url}/delay/30`, limit: 100 };
  const eight: number[] = [];
  const rawEight: number[] = [];
  for (let round = 0; round < rounds; round++) {
    eight.push((await runJob('snapshots', 'ours', { ...work, concurrency: 8 })).wallMs);
    rawEight.push((await runJob('snapshots', 'raw-fetch', { ...work, concurrency: 8 })).wallMs);
  }
  const one = await runJob('snapshots', 'ours', { ...work, concurrency: 1 });
  const raw = await runJob('snapshots', 'raw-fetch', { ...work, concurrency: 1 });
  const least = (500 / 8) * 30;
  const row = (name: string, wallMs: number): string[] => [name, wallMs.toFixed(0), ratio(wallMs, least)];
  return {
    title: '50,000 snapshots, 30 ms of latency',
    note: `By the clock, median of ${rounds} rounds for 8 at a time, of which the least is 500 / 8 × 30 ms = ${least} ms. To reach: at most 1.1 × that.`,
    columns: ['', 'ms', '× least'],
    rows: [
      row('data-quality-client, { concurrency: 8 }', median(eight)),
      row('fetch + JSON.parse, 8 at a time', median(rawEight)),
      row('data-quality-client, by default', one.wallMs),
      row('fetch + JSON.parse, page after page', raw.wallMs),
    ],
  };
}

const stubbed = ['raw-fetch', 'ky-alone', 'ky-zod-p-retry', 'openai', 'ours'] as const;

/** What a piece of work costs when other processes disturb it little: a fifth of all pieces cost less. */
function undisturbed(costs: readonly number[]): number {
  return costs.toSorted((one, other) => one - other)[Math.floor(costs.length / 5)] ?? Number.NaN;
}

/** What the contestants do by themselves, on a `fetch` that responds at once. */
export async function ownTime({ rounds }: Context): Promise<Table> {
  const output = await runNode([benchFile('own-time.ts'), String(10 * rounds), ...stubbed]);
  const costs = JSON.parse(output) as Record<(typeof stubbed)[number], OwnCosts>;
  const base = costs['raw-fetch'];
  const rows = stubbed.map(async (key) => {
    const contestant = await contestants[key]?.();
    const [get, page] = [undisturbed(costs[key].get), undisturbed(costs[key].page)];
    return [
      contestant?.name ?? key,
      contestant?.validates ? 'yes' : 'no',
      get.toFixed(1),
      ratio(get, undisturbed(base.get)),
      page.toFixed(1),
      ratio(page, undisturbed(base.page)),
    ];
  });
  return {
    title: 'Own time on a `fetch` that responds at once',
    note: `µs of CPU per small GET, and per page of 100 snapshots in an iteration of 50,000; all in one process, in turns by short pieces, of which a fifth cost less. To reach: at most 3.4 × fetch for the GET and 1.9 × for the page.`,
    columns: ['', 'validates', 'µs per GET', '× fetch', 'µs per page', '× fetch'],
    rows: await Promise.all(rows),
  };
}
