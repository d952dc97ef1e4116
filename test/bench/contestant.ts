/** The ids every contestant asks for. */
export const assetId = '3e0f2d0a-6a53-4d4c-9a35-0b8d6c1f7e11';
export const ruleId = 'v_7c1f7a52-8d3e-4b5e-9f0a-2f6f1f0f3c11';
export const metricId = 'm_0d9c7f4e-52c1-4ab7-8a3c-61d2f1b0a922';
export const apiKey = 'dq_benchmark_key';

export const rulePath = `/api/v1/sdk/validity/${assetId}/${ruleId}`;
export const snapshotsPath = `/api/v1/sdk/metrics/${assetId}/${metricId}/snapshots`;

/** What every contestant sets that can: without a timeout a client does less than the others. */
export const timeoutMs = 30_000;

/** A page of snapshots as a contestant hands it on. */
export interface SnapshotPage {
  readonly items: readonly unknown[];
  readonly hasMore: boolean;
}

/** A contestant that is ready to work. */
export interface Session {
  /** Reads one rule: the small GET. */
  getRule(): Promise<unknown>;
  /** Reads a page of snapshots. */
  getSnapshots(limit: number, offset: number): Promise<SnapshotPage>;
  /** All snapshots, for a contestant that iterates by itself; the others are led from page to page. */
  iterate?(limit: number, concurrency: number): AsyncIterable<unknown>;
}

/** One way of calling the service. Adding one is a file in `contestants` and its name in `contestants.ts`. */
export interface Contestant {
  readonly name: string;
  /** Whether it checks what it receives against a schema. */
  readonly validates: boolean;
  /** The packages it is made of, for the list of versions. */
  readonly packages: readonly string[];
  open(baseUrl: string, options?: SessionOptions): Session;
}

export interface SessionOptions {
  /** What the contestant is told of the rate limit, if it can be told. */
  readonly rateLimit?: { readonly perSecond: number; readonly perMinute: number } | 'auto';
  /** Where Redis listens, for a contestant that can share a rate limit. */
  readonly redisPort?: number;
}

/** What the service answers, as far as the contestants without types of their own need it. */
export interface SnapshotsBody {
  readonly data: { readonly items: readonly unknown[] };
  readonly pagination: { readonly has_more: boolean };
}

/** The session of a contestant that is nothing but a way to read the JSON at a path. */
export function sessionOf(get: (path: string) => Promise<unknown>): Session {
  return {
    async getRule() {
      const { data } = (await get(rulePath)) as { data: unknown };
      return data;
    },
    async getSnapshots(limit, offset) {
      const path = `${snapshotsPath}?limit=${limit}&offset=${offset}`;
      const { data, pagination } = (await get(path)) as SnapshotsBody;
      return { items: data.items, hasMore: pagination.has_more };
    },
  };
}

/** Reads every snapshot of a session and returns how many there were. */
export async function countSnapshots(session: Session, limit: number, concurrency: number): Promise<number> {
  let count = 0;
  if (session.iterate !== undefined) {
    for await (const _ of session.iterate(limit, concurrency)) count++;
    return count;
  }
  let offset = 0;
  let isOver = false;
  const worker = async (): Promise<void> => {
    while (!isOver) {
      const { items, hasMore } = await session.getSnapshots(limit, (offset += limit) - limit);
      for (const _ of items) count++;
      isOver ||= !hasMore;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return count;
}
