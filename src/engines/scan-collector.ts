/** Computes aggregates over one source in one pass and returns their values, in their order. */
export type Scan<Source, Value> = (
  source: Source,
  aggregates: readonly string[],
  /** Aborted when nobody waits for the scan any more. */
  signal: AbortSignal,
) => Promise<readonly Value[]>;

/** Parts of a {@link ScanCollector}. */
export interface ScanCollectorOptions<Source, Value> {
  readonly scan: Scan<Source, Value>;
  /** Returns the same text for two sources that one scan may read. */
  readonly keyOf: (source: Source) => string;
  /** Returns one source that serves the requests of two with the same key, or undefined if no source can. */
  readonly merge: (a: Source, b: Source) => Source | undefined;
  /**
   * Returns how to go on after a scan that failed: `each` computes each request alone, `halves` looks for those that
   * fail, `none` fails all of them, because the error is not one of the data or of a request.
   */
  readonly afterFailure: (error: unknown) => 'each' | 'halves' | 'none';
  /**
   * Milliseconds without a new request after which a scan starts.
   * @default 3
   */
  readonly quiet?: number;
  /**
   * Milliseconds after which a scan starts, whatever comes.
   * @default 20
   */
  readonly longest?: number;
  /**
   * Returns by how many times longer than `quiet` and `longest` the requests for a source are gathered: if a scan of it
   * takes long, a second one costs more than the wait.
   * @default 1, for each source
   */
  readonly slowness?: (source: Source) => number;
  /**
   * Milliseconds for which a scan waits for requests that are announced.
   * @default 5000
   */
  readonly patience?: number;
}

/** What one caller wants to know of a source. */
interface Request<Source, Value> {
  readonly source: Source;
  readonly aggregates: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly resolve: (values: readonly Value[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The requests for one source. */
interface Gathering<Source, Value> {
  readonly requests: Request<Source, Value>[];
  readonly since: number;
  timer: NodeJS.Timeout | undefined;
}

/** Aggregates that one scan computes: more make the plan of a query slow. */
const mostAggregates = 200;

/** Succeeds if the source can be read at all. */
const anyRow = 'count(*)';

/**
 * Gathers the aggregates that are requested of one source within a few milliseconds, or while a scan of it runs, and
 * computes them in one scan. A request that fails does not fail the others: then they are scanned in smaller groups.
 */
export class ScanCollector<Source, Value> {
  readonly #options: Required<ScanCollectorOptions<Source, Value>>;
  readonly #gathering = new Map<string, Gathering<Source, Value>>();
  readonly #scanning = new Set<string>();
  /** How many requests are announced, by their key. */
  readonly #announced = new Map<string, number>();

  constructor(options: ScanCollectorOptions<Source, Value>) {
    this.#options = { quiet: 3, longest: 20, slowness: () => 1, patience: 5000, ...options };
  }

  /**
   * Computes aggregates over a source, in a scan that other requests may share. Whoever aborts gets the reason of the
   * signal at once; the scan ends when nobody else waits for it.
   */
  async aggregate(
    source: Source,
    aggregates: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly Value[]> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<readonly Value[]>();
    this.#request({ source, aggregates, signal, resolve, reject });
    const leave = () => reject(signal?.reason);
    signal?.addEventListener('abort', leave);
    return promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  /**
   * Announces a request that takes a while to prepare, so that a scan of its source waits for it. To be called back when
   * it was made, or when it will not be.
   */
  announce(source: Source): () => void {
    const key = this.#options.keyOf(source);
    const change = (by: number) => {
      const count = (this.#announced.get(key) ?? 0) + by;
      if (count > 0) this.#announced.set(key, count);
      else this.#announced.delete(key);
      const gathering = this.#gathering.get(key);
      if (gathering !== undefined) this.#wait(key, gathering);
    };
    let isMade = false;
    change(1);
    return () => {
      if (!isMade) change(-1);
      isMade = true;
    };
  }

  #request(request: Request<Source, Value>): void {
    const key = this.#options.keyOf(request.source);
    const known = this.#gathering.get(key);
    const gathering = known ?? { requests: [], since: performance.now(), timer: undefined };
    gathering.requests.push(request);
    this.#gathering.set(key, gathering);
    this.#wait(key, gathering);
  }

  #wait(key: string, gathering: Gathering<Source, Value>): void {
    clearTimeout(gathering.timer);
    // The end of the scan that runs starts the next one.
    if (this.#scanning.has(key)) return;
    const { quiet, longest, slowness, patience } = this.#options;
    const isAnnounced = this.#announced.has(key);
    const times = Math.max(1, ...gathering.requests.map(({ source }) => slowness(source)));
    const left = (isAnnounced ? patience : longest * times) - (performance.now() - gathering.since);
    const start = () => void this.#start(key, gathering);
    gathering.timer = setTimeout(start, Math.max(0, isAnnounced ? left : Math.min(quiet * times, left)));
  }

  async #start(key: string, { requests }: Gathering<Source, Value>): Promise<void> {
    this.#gathering.delete(key);
    this.#scanning.add(key);
    const waiting = requests.filter(({ signal }) => signal?.aborted !== true);
    const slices = slicesOf(waiting, this.#options.merge);
    const scans = slices.map(async ({ source, requests: slice }) => this.#together(source, slice));
    const failed = await Promise.all(scans);
    this.#scanning.delete(key);
    const next = this.#gathering.get(key);
    if (next !== undefined) this.#wait(key, next);
    await Promise.all(failed.map(async (slice) => this.#apart(slice)));
  }

  /** Computes requests in one scan; returns those that another attempt may compute, and the error. */
  async #together(
    source: Source,
    requests: readonly Request<Source, Value>[],
  ): Promise<Failed<Source, Value> | undefined> {
    const aggregates = [...new Set(requests.flatMap((request) => request.aggregates))];
    const callers = watchCallers(requests);
    try {
      const values = await this.#options.scan(source, aggregates, callers.left);
      const valueOf = new Map(aggregates.map((aggregate, at) => [aggregate, values[at]] as const));
      for (const request of requests) {
        request.resolve(request.aggregates.map((aggregate) => valueOf.get(aggregate) as Value));
      }
      return undefined;
    } catch (error) {
      const way = this.#options.afterFailure(error);
      if (requests.length > 1 && way !== 'none') return { source, requests, error, way };
      for (const { reject } of requests) reject(error);
      return undefined;
    } finally {
      callers.dispose();
    }
  }

  async #apart(failed: Failed<Source, Value> | undefined): Promise<void> {
    if (failed === undefined) return;
    const { source, requests, error, way } = failed;
    if (way === 'each') {
      await Promise.all(requests.map(async (request) => this.#together(source, [request])));
      return;
    }
    try {
      await this.#options.scan(source, [anyRow], new AbortController().signal);
    } catch {
      for (const { reject } of requests) reject(error);
      return;
    }
    await this.#halves(source, requests);
  }

  async #halves(source: Source, requests: readonly Request<Source, Value>[]): Promise<void> {
    const middle = Math.ceil(requests.length / 2);
    for (const half of [requests.slice(0, middle), requests.slice(middle)]) {
      const failed = await this.#together(source, half);
      if (failed?.way === 'halves') await this.#halves(source, failed.requests);
      else await this.#apart(failed);
    }
  }
}

/** Watches until all who wait for a scan have left; one without a signal never does. */
function watchCallers(requests: readonly { readonly signal: AbortSignal | undefined }[]) {
  const everyone = new AbortController();
  const check = () => {
    if (requests.every(({ signal }) => signal?.aborted === true)) everyone.abort();
  };
  for (const { signal } of requests) signal?.addEventListener('abort', check);
  check();
  return {
    /** Aborted when all have left. */
    left: everyone.signal,
    dispose: () => {
      for (const { signal } of requests) signal?.removeEventListener('abort', check);
    },
  };
}

/** Requests of one scan. */
interface Slice<Source, Value> {
  readonly source: Source;
  readonly requests: readonly Request<Source, Value>[];
}

/** Requests whose scan failed. */
interface Failed<Source, Value> extends Slice<Source, Value> {
  readonly error: unknown;
  readonly way: 'each' | 'halves';
}

function slicesOf<Source, Value>(
  requests: readonly Request<Source, Value>[],
  merge: (a: Source, b: Source) => Source | undefined,
): readonly Slice<Source, Value>[] {
  const slices: { source: Source; requests: Request<Source, Value>[]; count: number }[] = [];
  for (const request of requests) {
    const { length } = request.aggregates;
    let found = false;
    for (const slice of slices) {
      if (slice.count + length > mostAggregates) continue;
      const merged = merge(slice.source, request.source);
      if (merged === undefined) continue;
      slice.source = merged;
      slice.count += length;
      slice.requests.push(request);
      found = true;
      break;
    }
    if (!found) slices.push({ source: request.source, requests: [request], count: length });
  }
  return slices;
}
