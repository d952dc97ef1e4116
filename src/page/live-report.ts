import { DataQualityClient, type InvalidSample } from '../index.ts';
import { collectReport } from '../report/collect.ts';
import type { Unchanged } from '../report/collect-asset.ts';
import type { Report } from '../report/report.ts';
import type { State } from '../server/state.ts';
import type { Keys } from '../service/scope.ts';
import type { Service } from '../service/service.ts';
import type { Asset } from '../service/store.ts';
import type { PageScope } from './sessions.ts';
import { readVersions, type Versions } from './versions.ts';

/** Rules whose samples are kept, the latest that were checked. */
const mostSamples = 200;

/** Results and values per rule and metric: less than in a file, as it is read again and again. */
const most = { results: 30, snapshots: 180 } as const;

/** What a live report works with. */
export interface LiveReportParts {
  /** The service without its rate limits, with keys of its own. */
  readonly inside: { readonly service: Service; readonly keys: Keys };
  readonly assets: readonly Asset[];
  readonly state: State;
}

/** The report of all assets as they are now, collected at most once per change, however many look at it. */
export class LiveReport {
  readonly #clients: Readonly<Record<PageScope, DataQualityClient>>;
  readonly #assets: readonly string[];
  readonly #samples = new Map<string, readonly InvalidSample[]>();
  readonly #state: State;
  #current: Promise<Report> | undefined;
  #before: { readonly report: Report; readonly versions: Versions } | undefined;
  /** Rules whose samples are newer than their report. */
  readonly #sampled = new Set<string>();
  #lastDuration = 0;

  constructor({ inside: { service, keys }, assets, state }: LiveReportParts) {
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
    this.#state = state;
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
    this.#sampled.add(rule);
    this.#samples.delete(rule);
    this.#samples.set(rule, samples);
    for (const oldest of this.#samples.keys()) {
      if (this.#samples.size <= mostSamples) break;
      this.#samples.delete(oldest);
    }
  }

  async #collect(): Promise<Report> {
    const started = performance.now();
    const versions = await readVersions(this.#state);
    const unchanged = this.#unchanged(versions);
    this.#sampled.clear();
    const report = await collectReport(this.#clients['read-only'], this.#assets, {
      ...most,
      samples: this.#samples,
      unchanged,
    });
    this.#before = { report, versions };
    this.#lastDuration = performance.now() - started;
    return report;
  }

  /** What need not be read again: a run of many checks would read all their results after each. */
  #unchanged(versions: Versions): Unchanged {
    const { report, versions: former } = this.#before ?? { report: undefined, versions };
    const isSame = (id: string) => versions.get(id) === former.get(id) && !this.#sampled.has(id);
    const assets = report?.assets ?? [];
    // What could not be read has a reason and nothing else; it is tried again.
    const rules = assets
      .flatMap((asset) => asset.rules)
      .filter(
        ({ rule, results, reason }) => isSame(rule.uuid) && (results.length > 0 || reason === undefined),
      );
    const metrics = assets
      .flatMap((asset) => asset.metrics)
      .filter(
        ({ metric, series, reason }) => isSame(metric.id) && (series.length > 0 || reason === undefined),
      );
    return {
      rules: new Map(rules.map((reported) => [reported.rule.uuid, reported])),
      metrics: new Map(metrics.map((reported) => [reported.metric.id, reported])),
    };
  }
}
