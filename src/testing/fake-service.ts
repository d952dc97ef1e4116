/** @ts-ignore: without the optional peer msw its handlers are any. */
import type { HttpHandler } from 'msw';

import type { Freshness } from '../contract/index.ts';
import type { Tier } from '../contract/vocabulary.ts';
import { acceptanceRoute } from '../service/acceptance-route.ts';
import type { Keys } from '../service/scope.ts';
import { judgeFreshness } from '../service/freshness.ts';
import { createService } from '../service/service.ts';
import { slaRoute } from '../service/sla-route.ts';
import type { Asset } from '../service/store.ts';
import { createStubs, type FakeCheckResult, type FakeMetricValue } from './stubs.ts';
import { createFaultQueue, type Fault } from './faults.ts';
import { respondWithFault, ConnectionReset } from './fault-response.ts';
import { createMemoryStore } from './memory-store.ts';
import { createHandlers } from './msw-handlers.ts';
import { recordRequest, type RecordedRequest } from './recorded-request.ts';
import { type FakeAlert, signedAlertRequest } from './signed-alert.ts';

/** Options of {@link createFakeService}. */
export interface FakeServiceOptions {
  /**
   * The address of the fake, a path prefix included.
   *
   * @default 'https://dq.test'
   */
  readonly baseUrl?: string | URL;
  /**
   * UUIDs of its assets, or ids with qualified names.
   *
   * @default one asset
   */
  readonly assets?: readonly (string | { readonly id: string; readonly name: string })[];
  /**
   * Limits each key as this tier does.
   *
   * @default nothing is limited
   */
  readonly tier?: Tier;
  /**
   * The fake's clock, in milliseconds since 1970.
   *
   * @default Date.now
   */
  readonly now?: () => number;
}

/** Options for a client of the fake. */
export interface FakeClientOptions {
  /** The address of the fake. */
  readonly baseUrl: string;
  /** The key that may read and write. */
  readonly apiKey: string;
  /** Sends requests to the fake; nothing reaches the network. */
  readonly fetch: typeof globalThis.fetch;
  /** Off: a 429 from `failNext` would slow down the tests that follow. */
  readonly rateLimit: false;
  /** Milliseconds: retries follow at once. */
  readonly retryDelay: number;
}

/** A service in memory for tests of code that uses the client: stateful, and failing on demand. */
export interface FakeService {
  /** The `baseUrl` of clients. */
  readonly baseUrl: string;
  /** One key per scope. */
  readonly keys: Keys;
  /** All assets of the fake, at least one. */
  readonly assets: readonly Asset[];
  /** The first asset. */
  readonly asset: Asset;
  /** A `fetch` that reaches the fake and nothing else: the `fetch` option of clients. */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Options for a client of the fake: key, address and `fetch`, with retries that follow at once.
   *
   * @example
   * const client = new DataQualityClient({ ...fake.clientOptions, maxRetries: 1 });
   */
  readonly clientOptions: FakeClientOptions;
  /**
   * Handlers for MSW's `setupServer`.
   *
   * @throws Error if the package `msw` is not installed, or cannot be loaded here; use `fake.fetch` then.
   * @example
   * const server = setupServer(...fake.handlers);
   */
  readonly handlers: readonly HttpHandler[];
  /** Every request that arrived, in order, including those that met a fault. */
  readonly requests: readonly RecordedRequest[];
  /**
   * Sets what the next checks of a rule find, until it is set again. Before, every rule passes over 100 rows.
   *
   * @throws RangeError if the fake has no such rule.
   * @example
   * fake.setCheckResult(rule.uuid, { total_rows: 1000, invalid_count: 25 });
   */
  setCheckResult(ruleId: string, result: FakeCheckResult): void;
  /**
   * Sets what the next captures of a metric find: a value, or one per group. Before, a row count is 100 and every other metric 0.
   *
   * @throws RangeError if the fake has no such metric.
   * @example
   * fake.setMetricValue(metric.id, 950);
   * fake.setMetricValue(metric.id, [{ value: 3, group_values: { country: 'ch' } }]);
   */
  setMetricValue(metricId: string, value: number | null | FakeMetricValue | readonly FakeMetricValue[]): void;
  /**
   * Sets the freshness of an asset, given by its id or name. What is left out is made up to match; null, as at first,
   * means that no freshness is configured (422). What was set before is the past that the endpoint
   * `/api/v1/local/assets/{asset_id}/sla` reports, by the fake's clock.
   *
   * @throws RangeError if the fake has no such asset.
   * @example
   * fake.setFreshness(fake.asset.id, { status: 'stale', data_age_minutes: 300 });
   */
  setFreshness(assetId: string, freshness: Partial<Freshness> | null): void;
  /**
   * Makes the next request, or the next one that matches `on`, fail.
   *
   * @throws RangeError if the fault has an unknown key or value, or if `on` can never match.
   * @example
   * fake.failNext({ status: 503, times: 2 });
   * fake.failNext({ on: 'POST /api/v1/sdk/validity/*', reset: true });
   */
  failNext(fault: Fault): void;
  /**
   * Returns the faults that no request has met yet, or not as often as they were to.
   *
   * @example
   * afterEach(() => expect(fake.unusedFaults()).toEqual([]));
   */
  unusedFaults(): readonly Fault[];
  /**
   * Forgets everything: state, limits, requests, faults and what was set.
   *
   * @example
   * beforeEach(() => fake.reset());
   */
  reset(): void;
  /**
   * Creates a signed alert as the service would deliver it. What is left out is made up.
   *
   * @example
   * const response = await handler(await fake.signedAlert({ event_type: 'alert.triggered' }, secret));
   */
  signedAlert(alert: FakeAlert, secret: string): Promise<Request>;
}

/**
 * Creates a fake of the service that speaks the whole interface from memory.
 *
 * @example
 * const fake = createFakeService();
 * const client = new DataQualityClient(fake.clientOptions);
 * await client.validity.list(fake.asset.id);
 */
export function createFakeService(options: FakeServiceOptions = {}): FakeService {
  const baseUrl = String(options.baseUrl ?? 'https://dq.test').replace(/\/+$/, '');
  const { origin, pathname } = new URL(baseUrl);
  const basePath = pathname === '/' ? '' : pathname;
  const now = options.now ?? Date.now;
  const assets = (options.assets ?? [defaultAssetId]).map(toAsset);

  const [asset] = assets;
  if (asset === undefined) throw new RangeError('createFakeService: assets must name at least one asset');

  const faults = createFaultQueue();
  const requests: RecordedRequest[] = [];
  const start = () => {
    const stubs = createStubs(now);
    const store = createMemoryStore();
    const observe = (found: Asset, mostGap: number) => {
      const reading = stubs.readFreshness(found.id);
      if (reading === undefined) return;
      const { status } = judgeFreshness(found, reading, now());
      void store.freshness.record(found.id, { status, at: now() }, mostGap);
    };
    const service = createService({
      assets,
      keys,
      store,
      evaluation: stubs,
      ownRoutes: [
        acceptanceRoute(assets, store),
        slaRoute({
          assets,
          store: store.freshness,
          now,
          async configured(found) {
            observe(found, Number.POSITIVE_INFINITY);
            return stubs.readFreshness(found.id) === undefined ? undefined : {};
          },
        }),
      ],
      tier: options.tier,
      now,
      basePath,
    });
    return { stubs, store, service, observe };
  };
  let state = start();
  let handlers: readonly HttpHandler[] | undefined;

  const respond = async (request: Request): Promise<Response> => {
    const recorded = await recordRequest(request, basePath);
    requests.push(recorded);
    const fault = faults.take(recorded.method, recorded.path);
    return fault === undefined ? state.service(request) : respondWithFault(fault, request, state.service);
  };

  const fetch = createFetch(origin, respond);

  return {
    baseUrl,
    keys,
    assets,
    asset,
    requests,
    fetch,
    clientOptions: { baseUrl, apiKey: keys.readWrite, fetch, rateLimit: false, retryDelay: 1 },
    get handlers() {
      return (handlers ??= createHandlers(baseUrl, respond));
    },
    setCheckResult(ruleId, result) {
      if (!state.store.hasRule(ruleId)) throw unknownId('setCheckResult', 'rule', ruleId);
      state.stubs.setCheckResult(ruleId, result);
    },
    setMetricValue(metricId, value) {
      if (!state.store.hasMetric(metricId)) throw unknownId('setMetricValue', 'metric', metricId);
      state.stubs.setMetricValue(metricId, toValues(value));
    },
    setFreshness(assetId, freshness) {
      const found = assets.find(({ id, name }) => id === assetId || name === assetId);
      if (found === undefined) throw unknownId('setFreshness', 'asset', assetId);
      const wasSet = state.stubs.readFreshness(found.id) !== undefined;
      state.observe(found, Number.POSITIVE_INFINITY);
      state.stubs.setFreshness(found.id, freshness);
      state.observe(found, wasSet ? Number.POSITIVE_INFINITY : 0);
    },
    failNext: (fault) => faults.add(fault),
    unusedFaults: () => faults.unused(),
    reset() {
      state = start();
      faults.clear();
      requests.length = 0;
    },
    signedAlert: (alert, secret) => signedAlertRequest(alert, secret, now()),
  };
}

function unknownId(method: string, kind: string, id: string): RangeError {
  return new RangeError(`${method}: the fake has no ${kind} ${JSON.stringify(id)}; create it first.`);
}

const defaultAssetId = '5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01';

const keys: Keys = { readOnly: 'fake-read-only', readWrite: 'fake-read-write', admin: 'fake-admin' };

function toAsset(given: string | { readonly id: string; readonly name: string }, at: number): Asset {
  const numericId = at + 1;
  return typeof given === 'string'
    ? { id: given, numericId, name: `warehouse.asset_${numericId}` }
    : { id: given.id, numericId, name: given.name };
}

function toValues(
  value: number | null | FakeMetricValue | readonly FakeMetricValue[],
): readonly FakeMetricValue[] {
  if (value === null || typeof value === 'number') return [{ value }];
  return [value].flat();
}

/** A `fetch` that responds in process, and fails as the real one does. */
function createFetch(
  origin: string,
  respond: (request: Request) => Promise<Response>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    if (new URL(request.url).origin !== origin) {
      throw new TypeError('fetch failed', { cause: new Error(`The fake responds at ${origin} only`) });
    }
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = () => reject(request.signal.reason);
    request.signal.addEventListener('abort', abort);
    try {
      return await Promise.race([respond(request), aborted]);
    } catch (error) {
      if (error instanceof ConnectionReset) throw new TypeError('fetch failed', { cause: error });
      throw error;
    } finally {
      request.signal.removeEventListener('abort', abort);
    }
  };
}
