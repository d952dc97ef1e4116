import { DataQualityClient, type InvalidSample } from '../index.ts';
import { collectReport } from '../report/collect.ts';
import type { Report } from '../report/report.ts';
import type { Keys } from '../service/scope.ts';
import type { Service } from '../service/service.ts';
import type { Asset } from '../service/store.ts';
import type { PageScope } from './sessions.ts';

/** Rules whose samples are kept, the latest that were checked. */
const mostSamples = 200;

/** Results and values per rule and metric: less than in a file, as it is read again and again. */
const most = { results: 30, snapshots: 180 } as const;

/** The report of all assets as they are now, collected at most once per change, however many look at it. */
export class LiveReport {
  readonly #clients: Readonly<Record<PageScope, DataQualityClient>>;
  readonly #assets: readonly string[];
  readonly #samples = new Map<string, readonly InvalidSample[]>();
  #current: Promise<Report> | undefined;
  #lastDuration = 0;

  constructor(
    { service, keys }: { readonly service: Service; readonly keys: Keys },
    assets: readonly Asset[],
  ) {
    const clientWith = (apiKey: string) =>
      new DataQualityClient({
        apiKey,
        baseUrl: 'http://127.0.0.1',
        fetch: async (input, init) => service(new Request(input, init)),
        rateLimit: false,
        maxRetries: 0,
      });
    this.#clients = { 'read-only': clientWith(keys.readOnly), 'read-write': clientWith(keys.readWrite) };
    this.#assets = assets.map(({ id }) => id);
  }

  /** Milliseconds that the last report took. */
  get lastDuration(): number {
    return this.#lastDuration;
  }

  /** A client that may do what a session may. */
  clientOf(scope: PageScope): DataQualityClient {
    return this.#clients[scope];
  }

  /** The report as it was after the last change. */
  async read(): Promise<Report> {
    const current = (this.#current ??= this.#collect());
    try {
      return await current;
    } catch (error) {
      if (this.#current === current) this.#current = undefined;
      throw error;
    }
  }

  /** Makes the next reader collect. */
  expire(): void {
    this.#current = undefined;
  }

  /** Keeps the rows that broke a rule, which only a check returns. */
  keepSamples(rule: string, samples: readonly InvalidSample[]): void {
    this.#samples.delete(rule);
    this.#samples.set(rule, samples);
    for (const oldest of this.#samples.keys()) {
      if (this.#samples.size <= mostSamples) break;
      this.#samples.delete(oldest);
    }
  }

  async #collect(): Promise<Report> {
    const started = performance.now();
    const report = await collectReport(this.#clients['read-only'], this.#assets, {
      ...most,
      samples: this.#samples,
    });
    this.#lastDuration = performance.now() - started;
    return report;
  }
}
