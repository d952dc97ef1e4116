import { rule, snapshotPage } from './bodies.ts';
import { countSnapshots, type Session } from './contestant.ts';
import { contestants } from './contestants.ts';

/** What short pieces of work cost a contestant, in µs of processor time, user and system. */
export interface OwnCosts {
  /** Per small GET. */
  readonly get: number[];
  /** Per page of 100 snapshots in an iteration over 50,000. */
  readonly page: number[];
}

const responseHeaders = { 'content-type': 'application/json' };

/** Makes every `fetch` of this process respond at once. */
function stubFetch(): void {
  const pages = new Map<string, string>();
  const pageAt = (url: string): string => {
    const [, offset = '0'] = /offset=(\d+)/.exec(url) ?? [];
    const page = pages.get(offset) ?? snapshotPage(100, Number(offset));
    pages.set(offset, page);
    return page;
  };
  globalThis.fetch = async (input) => {
    const url = input instanceof Request ? input.url : String(input);
    return new Response(url.includes('/snapshots') ? pageAt(url) : rule, { headers: responseHeaders });
  };
}

/**
 * Measures what contestants do by themselves, in turns in one process, so that neither the load of the machine nor that
 * of the compiler falls on one of them: `own-time.ts <rounds> <contestant>…`.
 */
const [, , rounds = '1', ...names] = process.argv;
stubFetch();
const measured = new Map<string, { session: Session; costs: OwnCosts }>();
for (const name of names) {
  const contestant = await contestants[name]?.();
  if (contestant === undefined) throw new Error(`no contestant ${name}`);
  measured.set(name, { session: contestant.open('http://127.0.0.1:9'), costs: { get: [], page: [] } });
}
/** Lets every contestant do a piece of work, round after round; the first rounds are for the compiler. */
async function takeTurns(kind: keyof OwnCosts, piece: (session: Session) => Promise<number>): Promise<void> {
  for (let round = -10; round < Number(rounds); round++) {
    for (const { session, costs } of measured.values()) {
      const before = process.cpuUsage();
      const count = await piece(session);
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) costs[kind].push((user + system) / count);
    }
  }
}

await takeTurns('get', async (session) => {
  for (let call = 0; call < 400; call++) await session.getRule();
  return 400;
});
await takeTurns('page', async (session) => (await countSnapshots(session, 100, 1)) / 100);
process.stdout.write(
  JSON.stringify(Object.fromEntries([...measured].map(([name, { costs }]) => [name, costs]))),
);
process.exit(0);
