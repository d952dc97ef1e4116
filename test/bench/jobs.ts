import { type Contestant, countSnapshots, type Session, type SessionOptions } from './contestant.ts';
import { type Owner, owners, profile } from './profile.ts';

interface Work {
  readonly baseUrl: string;
  readonly options?: SessionOptions;
}

/** What a job cost: processor time of this process, and time by the clock, in ms. */
export interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
  /** How many calls or items it was for. */
  readonly count: number;
}

async function measure(work: () => Promise<number>): Promise<Cost> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const count = await work();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1000, wallMs, count };
}

/** Makes `count` calls, `concurrency` at a time. */
async function makeCalls(session: Session, count: number, concurrency: number): Promise<number> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await session.getRule();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return count;
}

/** What a process of the benchmark can be asked to do. */
export const jobs = {
  async calls(contestant: Contestant, work: Work & { count: number; concurrency: number }): Promise<Cost> {
    const session = contestant.open(work.baseUrl, work.options);
    // Until the compiler has settled, calls cost several times what they cost later.
    await makeCalls(session, work.count, work.concurrency);
    return measure(() => makeCalls(session, work.count, work.concurrency));
  },

  /** The same calls; resolves to the µs of the main thread that went to each owner, per call. */
  async profile(
    contestant: Contestant,
    work: Work & { count: number; concurrency: number },
  ): Promise<Record<Owner, number>> {
    const session = contestant.open(work.baseUrl, work.options);
    await makeCalls(session, work.count, work.concurrency);
    const spent = await profile(() => makeCalls(session, work.count, work.concurrency));
    for (const owner of owners) spent[owner] *= 1000 / work.count;
    return spent;
  },

  async snapshots(
    contestant: Contestant,
    work: Work & { limit: number; concurrency: number },
  ): Promise<Cost> {
    const session = contestant.open(work.baseUrl, work.options);
    await countSnapshots(session, work.limit, work.concurrency);
    return measure(() => countSnapshots(session, work.limit, work.concurrency));
  },

  /** All calls at once, without a warm-up: it is the first calls that find out about a limit. */
  async burst(contestant: Contestant, work: Work & { count: number }): Promise<Cost> {
    const session = contestant.open(work.baseUrl, work.options);
    return measure(() => makeCalls(session, work.count, work.count));
  },
};

export type JobName = keyof typeof jobs;
