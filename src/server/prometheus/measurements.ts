import type { Freshness } from '../../contract/index.ts';
import { thresholdMinutes } from '../../contract/threshold.ts';
import type { Service } from '../../service/service.ts';
import type { Asset } from '../../service/store.ts';
import type { StoreEvent } from '../store-events.ts';
import type { Family, Sample } from './exposition.ts';
import { Histogram } from './histogram.ts';

/** What one process counts and measures while it runs. */
export class Measurements {
  readonly #checks = new Map<string, number>();
  readonly #captures = new Map<string, number>();
  readonly #freshness = new Map<string, { readonly asset: string; readonly freshness: Freshness }>();
  readonly #durations = new Histogram();
  /** The paths of endpoints that requests were matched with: paths themselves would be endless. */
  readonly #paths = new WeakMap<Request, string>();
  #inFlight = 0;

  /** Counts a check or a capture. */
  countEvent(event: StoreEvent): void {
    if (event.type === 'result') increment(this.#checks, event.result.status);
    if (event.type !== 'snapshots') return;
    for (const { status } of event.snapshots) increment(this.#captures, status);
  }

  /** Keeps what a look at the freshness of an asset found. */
  keepFreshness(asset: Asset, freshness: Freshness): void {
    this.#freshness.set(asset.id, { asset: asset.name, freshness });
  }

  /** Notes the endpoint of a request. */
  noteEndpoint(request: Request, path: string): void {
    this.#paths.set(request, path);
  }

  /** Returns the path of the endpoint of a request; `undefined` if it was matched with none. */
  endpointOf(request: Request): string | undefined {
    return this.#paths.get(request);
  }

  /** A service whose requests are timed. */
  timed(service: Service): Service {
    return async (request) => {
      const started = performance.now();
      this.#inFlight += 1;
      try {
        const response = await service(request);
        const path = this.endpointOf(request) ?? 'other';
        const labels = { method: methodOf(request), path, status: String(response.status) };
        this.#durations.observe(labels, (performance.now() - started) / 1000);
        return response;
      } finally {
        this.#inFlight -= 1;
      }
    };
  }

  /** What was counted and measured so far; `now` in ms since 1970. */
  families(now: number): readonly Family[] {
    const dated = [...this.#freshness.values()];
    return [
      {
        name: 'data_quality_checks_total',
        help: 'Checks of rules since the process started, by the status of their result.',
        type: 'counter',
        samples: byStatus(this.#checks),
      },
      {
        name: 'data_quality_captures_total',
        help: 'Captured values of metrics since the process started, by their status.',
        type: 'counter',
        samples: byStatus(this.#captures),
      },
      {
        name: 'data_quality_freshness_age_seconds',
        help: 'Age of the newest data of an asset that the last look found.',
        type: 'gauge',
        samples: dated.flatMap(({ asset, freshness: { last_updated: newest } }) =>
          newest === null ? [] : [{ labels: { asset }, value: (now - Date.parse(newest)) / 1000 }],
        ),
      },
      {
        name: 'data_quality_freshness_threshold_seconds',
        help: 'Age above which the data of an asset is stale.',
        type: 'gauge',
        samples: dated.flatMap(({ asset, freshness }) => {
          const minutes = thresholdMinutes(freshness.sla_threshold);
          return minutes === undefined ? [] : [{ labels: { asset }, value: minutes * 60 }];
        }),
      },
      {
        name: 'data_quality_http_requests_in_flight',
        help: 'Requests that have no response yet.',
        type: 'gauge',
        samples: [{ labels: {}, value: this.#inFlight }],
      },
      {
        name: 'data_quality_http_request_duration_seconds',
        help: 'Time until the response, by endpoint.',
        type: 'histogram',
        samples: this.#durations.samples(),
      },
    ];
  }
}

function increment(counts: Map<string, number>, status: string): void {
  counts.set(status, (counts.get(status) ?? 0) + 1);
}

function byStatus(counts: ReadonlyMap<string, number>): readonly Sample[] {
  return Array.from(counts, ([status, value]) => ({ labels: { status }, value }));
}

/** A client may send any word as the method. */
function methodOf({ method }: Request): string {
  return /^(GET|HEAD|POST|PUT|PATCH|DELETE)$/.test(method) ? method : 'other';
}
