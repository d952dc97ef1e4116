import { DataQualityClient, type RateLimitOption } from 'data-quality-client';
import { gate } from 'data-quality-client/gate';

import { ruleCount } from '../bodies.ts';
import { apiKey, assetId, type SessionOptions } from '../contestant.ts';
import { runJob } from '../process.ts';
import { median, ratio, type Table } from '../table.ts';
import { isRedisInstalled, startRedis } from '../../support/redis-server.ts';
import type { Context } from './context.ts';

const perSecond = 25;
const calls = 300;
/** The first 25 go at once, the others 25 a second. */
const leastMs = { fixed: (calls / perSecond - 1) * 1000, bucket: ((calls - perSecond) / perSecond) * 1000 };
const told = { perSecond, perMinute: 100_000 };

type Kind = keyof typeof leastMs;

interface Stats {
  readonly refused: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

let lastRun = 0;

/** A base URL that counts by itself. */
function limitedRun(url: string, kind: Kind): { baseUrl: string; stats: () => Promise<Stats> } {
  const run = `run-${++lastRun}`;
  return {
    baseUrl: `${url}/${kind}/${perSecond}/${run}`,
    stats: async () => (await (await fetch(`${url}/stats/${run}`)).json()) as Stats,
  };
}

async function burst(url: string, kind: Kind, name: string, options: SessionOptions): Promise<Stats> {
  const { baseUrl, stats } = limitedRun(url, kind);
  await runJob('burst', name, { baseUrl, options, count: calls });
  return stats();
}

const kindName = { fixed: 'fixed windows', bucket: 'bucket' };

function row(name: string, kind: Kind, { refused, firstAt, lastAt }: Stats): string[] {
  const ms = lastAt - firstAt;
  return [name, kindName[kind], String(refused), ms.toFixed(0), ratio(ms, leastMs[kind])];
}

const columns = ['', 'service', '429s', 'ms', '× least'];

/** 300 calls at once through 25 a second. */
export async function burstThroughLimit({ url }: Context): Promise<Table> {
  const entries: readonly [name: string, contestant: string, options: SessionOptions][] = [
    ['data-quality-client, told the limits', 'ours', { rateLimit: told }],
    ["data-quality-client, 'auto'", 'ours', { rateLimit: 'auto' }],
    ['ky + zod + p-retry, after Retry-After', 'ky-zod-p-retry', {}],
    ["openai's core", 'openai', {}],
    ['@octokit/core with retry and throttling', 'octokit', { rateLimit: 'auto' }],
  ];
  const rows: string[][] = [];
  for (const [name, contestant, options] of entries) {
    // Both wait more than they work, so they don't disturb each other.
    const kinds = ['fixed', 'bucket'] as const;
    const results = await Promise.all(kinds.map((kind) => burst(url, kind, contestant, options)));
    results.forEach((stats, index) => rows.push(row(name, kinds[index] ?? 'fixed', stats)));
  }
  return {
    title: `${calls} calls at once through ${perSecond} a second`,
    note: 'From the first request that reached the service to the last; × least: the least that its limit allows. To reach: told the limits, no 429 and at most 1.08; `auto`, at most 25 429s and at most 1.25.',
    columns,
    rows,
  };
}

/** Four processes that share a key through Redis. */
export async function sharedLimit({ url }: Context): Promise<Table> {
  const rows: string[][] = [];
  if (isRedisInstalled) {
    const redis = await startRedis();
    try {
      for (const kind of ['fixed', 'bucket'] as const) {
        const { baseUrl, stats } = limitedRun(url, kind);
        const options = { rateLimit: told, redisPort: redis.port };
        const share = { baseUrl, options, count: calls / 4 };
        await Promise.all(Array.from({ length: 4 }, () => runJob('burst', 'ours', share)));
        rows.push(row('data-quality-client with a Redis store', kind, await stats()));
      }
    } finally {
      await redis.stop();
    }
  } else {
    rows.push(['not measured: no redis-server here', '', '', '', '']);
  }
  return {
    title: `Four processes, ${calls} calls together, one limit of ${perSecond} a second`,
    note: 'To reach: no 429, at most 1.15 × the least.',
    columns,
    rows,
  };
}

/** A gate over 240 rules through 100 requests a second, each response after 30 ms. */
export async function gateAtLimit({ url, rounds }: Context): Promise<Table> {
  const limit = 100;
  const ways: readonly [name: string, rateLimit: RateLimitOption][] = [
    ['told by the tier', { tier: 'enterprise' }],
    ['told by the headers', 'auto'],
  ];
  const rows: string[][] = [];
  for (const kind of ['fixed', 'bucket'] as const) {
    for (const [name, rateLimit] of ways) {
      const runs: Stats[] = [];
      for (let round = 0; round < rounds; round++) {
        const run = `gate-${++lastRun}`;
        const baseUrl = `${url}/delay/30/${kind}/${limit}/${run}`;
        // A key of its own, so that nothing is known of the limit from the round before.
        const client = new DataQualityClient({ apiKey: `${apiKey}-${run}`, baseUrl, rateLimit });
        await gate(client, assetId);
        runs.push((await (await fetch(`${url}/stats/${run}`)).json()) as Stats);
      }
      const ms = median(runs.map(({ firstAt, lastAt }) => lastAt - firstAt));
      const refused = Math.max(...runs.map((stats) => stats.refused));
      rows.push([name, kindName[kind], String(refused), ms.toFixed(0), ratio(ms, gateLeastMs(kind, limit))]);
    }
  }
  return {
    title: `A gate over ${ruleCount} rules through ${limit} requests a second`,
    note: `Each response after 30 ms; from the first request that reached the service to the last, median of ${rounds} rounds, most 429s of any. To reach: no 429, at most 1.1 × the least.`,
    columns,
    rows,
  };
}

/** The least time for the rules and the three pages that list them. */
function gateLeastMs(kind: Kind, limit: number): number {
  const requests = ruleCount + 3;
  const windows = Math.ceil(requests / limit) - 1;
  return kind === 'fixed' ? windows * 1000 : ((requests - limit) / limit) * 1000;
}
