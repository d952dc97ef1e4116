import { Random } from './random.ts';

/** What one case was, and what went wrong in it. */
export interface Played {
  /** What was done, for the counts. */
  readonly kind: string;
  /** One sentence per promise that was broken. */
  readonly problems: readonly string[];
}

/** What an instrument plays its cases on, such as a service that was started for them. */
export interface Stage {
  /** Plays case number `index`; all that it leaves to chance comes from `random`. */
  play(index: number, random: Random): Promise<Played>;
  /** Looks at what all cases together left behind, and ends everything. */
  end(): Promise<readonly Played[]>;
  /** What else can be counted at the end. */
  facts?(): Readonly<Record<string, number>>;
}

/** One way of attacking the package. */
export interface Instrument {
  /** Cases that are played at once. */
  readonly concurrency: number;
  /** Sets up what the cases are played on; a text is the reason why that is impossible here. */
  readonly start: () => Promise<Stage | string>;
}

/** A promise that was broken, with what repeats the case. */
export interface Problem {
  readonly kind: string;
  readonly index: number;
  readonly problem: string;
}

/** What an instrument found. */
export interface Findings {
  /** Cases by kind. */
  readonly counts: ReadonlyMap<string, number>;
  readonly problems: readonly Problem[];
  /** What else was counted. */
  readonly facts: Readonly<Record<string, number>>;
  /** Why no case was played. */
  readonly skipped?: string;
}

/** Which cases are played. */
export interface Plan {
  readonly seed: number;
  /** Number of the first case. */
  readonly first: number;
  /** Most cases. */
  readonly cases: number;
  /** Milliseconds after which no other case begins. */
  readonly ms: number;
}

/** Plays the cases of an instrument; each depends on the seed and its own number, not on those before it. */
export async function play({ start, concurrency }: Instrument, plan: Plan): Promise<Findings> {
  const counts = new Map<string, number>();
  const problems: Problem[] = [];
  const note = (index: number, { kind, problems: broken }: Played) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    problems.push(...broken.map((problem) => ({ kind, index, problem })));
  };
  const stage = await start();
  if (typeof stage === 'string') return { counts, problems, facts: {}, skipped: stage };
  const until = performance.now() + plan.ms;
  const end = plan.first + plan.cases;
  let next = plan.first;
  const work = async (): Promise<void> => {
    while (next < end && performance.now() < until) {
      const index = next++;
      const random = new Random(plan.seed + Math.imul(index, 0x9e3779b1));
      note(index, await stage.play(index, random).catch(brokenOff));
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
  } finally {
    for (const played of await stage.end()) note(next, played);
  }
  return { counts, problems, facts: stage.facts?.() ?? {} };
}

/** A case that nobody expected to fail, such as one whose service no longer responds. */
function brokenOff(error: unknown): Played {
  return { kind: 'broken off', problems: [String(error)] };
}
