/** @ts-ignore: without the optional peer msw its handlers are any. */
import type { HttpHandler } from 'msw';

import type { Freshness } from '../contract/index.ts';
import type { Tier } from '../contract/vocabulary.ts';
import { acceptanceRoute } from '../service/acceptance-route.ts';
import type { Keys } from '../service/scope.ts';
import { createService } from '../service/service.ts';
import type { Asset } from '../service/store.ts';
import { createAnswers, type FakeCheckResult, type FakeMetricValue } from './answers.ts';
import { createFaultQueue, type Fault } from './faults.ts';
import { answerWithFault, ConnectionReset } from './fault-answer.ts';
import { createMemoryStore } from './memory-store.ts';
import { createHandlers } from './msw-handlers.ts';
import { recordRequest, type RecordedRequest } from './recorded-request.ts';
import { type FakeAlert, signedAlertRequest } from './signed-alert.ts';

/** Options of {@link createFakeService}. */
export interface FakeServiceOptions {
  /** Where the fake stands, a path prefix included; default `https://dq.test`. */
  readonly baseUrl?: string | URL;
  /** UUIDs of its assets, or ids with qualified names; default one asset. */
  readonly assets?: readonly (string | { readonly id: string; readonly name: string })[];
  /** Limits each key as this tier does; by default nothing is limited. */
  readonly tier?: Tier;
  /** The fake's clock, in milliseconds since 1970; default `Date.now`. */
  readonly now?: () => number;
}

/** A service in memory for tests of code that uses the client: stateful, and failing on demand. */
export interface FakeService {
  /** The `baseUrl` of clients. */
  readonly baseUrl: string;
  /** One key for each scope. */
  readonly keys: Keys;
  readonly assets: readonly Asset[];
  /** A `fetch` that reaches the fake and nothing else: the `fetch` option of clients. */
  readonly fetch: typeof globalThis.fetch;
  /** Handlers for MSW's `setupServer`; reading them throws where the package `msw` is not installed. */
  readonly handlers: readonly HttpHandler[];
  /** Every request that arrived, in order, those that met a fault included. */
  readonly requests: readonly RecordedRequest[];
  /** Sets what the next checks of a rule find, until it is set again; before that, every rule passes over 100 rows. */
  setCheckResult(ruleId: string, result: FakeCheckResult): void;
  /** Sets what the next captures of a metric find: a value, or one per group; before that, a `row_count` is 100 and every other metric 0. */
  setMetricValue(metricId: string, value: number | null | FakeMetricValue | readonly FakeMetricValue[]): void;
  /** Sets the freshness of an asset, what is left out made up to match; null, as at first: not configured, 422. */
  setFreshness(assetId: string, freshness: Partial<Freshness> | null): void;
  /** Lets the next request, or the next that fits, go wrong. */
  failNext(fault: Fault): void;
  /** Forgets everything: state, limits, requests, faults and what was set. */
  reset(): void;
  /** Makes a signed alert as the service would deliver it; what is left out is made up. */
  signedAlert(alert: FakeAlert, secret: string): Promise<Request>;
}

/**
 * Makes a fake of the service that speaks the whole interface from memory.
 *
 * @example
 * const fake = createFakeService();
 * const client = new DataQualityClient({
 *   baseUrl: fake.baseUrl,
 *   apiKey: fake.keys.readWrite,
 *   fetch: fake.fetch,
 *   rateLimit: false, // else a 429 from `failNext` slows down the tests that follow
 * });
 */
export function createFakeService(options: FakeServiceOptions = {}): FakeService {
  const baseUrl = String(options.baseUrl ?? 'https://dq.test').replace(/\/+$/, '');
  const { origin, pathname } = new URL(baseUrl);
  const basePath = pathname === '/' ? '' : pathname;
  const now = options.now ?? Date.now;
  const assets = (options.assets ?? [defaultAssetId]).map(toAsset);

  const faults = createFaultQueue();
  const requests: RecordedRequest[] = [];
  const start = () => {
    const answers = createAnswers(now);
    const store = createMemoryStore();
    const service = createService({
      assets,
      keys,
      store,
      evaluation: answers,
      ownRoutes: [acceptanceRoute(assets, store)],
      tier: options.tier,
      now,
      basePath,
    });
    return { answers, service };
  };
  let state = start();
  let handlers: readonly HttpHandler[] | undefined;

  const respond = async (request: Request): Promise<Response> => {
    const recorded = await recordRequest(request, basePath);
    requests.push(recorded);
    const fault = faults.take(recorded.method, recorded.path);
    return fault === undefined ? state.service(request) : answerWithFault(fault, request, state.service);
  };

  return {
    baseUrl,
    keys,
    assets,
    requests,
    fetch: createFetch(origin, respond),
    get handlers() {
      return (handlers ??= createHandlers(baseUrl, respond));
    },
    setCheckResult: (ruleId, result) => state.answers.setCheckResult(ruleId, result),
    setMetricValue: (metricId, value) => state.answers.setMetricValue(metricId, toValues(value)),
    setFreshness: (assetId, freshness) => state.answers.setFreshness(assetId, freshness),
    failNext: (fault) => faults.add(fault),
    reset() {
      state = start();
      faults.clear();
      requests.length = 0;
    },
    signedAlert: (alert, secret) => signedAlertRequest(alert, secret, now()),
  };
}

const defaultAssetId = '5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01';

const keys: Keys = { readOnly: 'fake-read-only', readWrite: 'fake-read-write', admin: 'fake-admin' };

function toAsset(asset: string | { readonly id: string; readonly name: string }, at: number): Asset {
  const numericId = at + 1;
  return typeof asset === 'string'
    ? { id: asset, numericId, name: `warehouse.asset_${numericId}` }
    : { id: asset.id, numericId, name: asset.name };
}

function toValues(
  value: number | null | FakeMetricValue | readonly FakeMetricValue[],
): readonly FakeMetricValue[] {
  if (value === null || typeof value === 'number') return [{ value }];
  return [value].flat();
}

/** A `fetch` that answers in process, and fails as the real one does. */
function createFetch(
  origin: string,
  respond: (request: Request) => Promise<Response>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    if (new URL(request.url).origin !== origin) {
      throw new TypeError('fetch failed', { cause: new Error(`The fake answers at ${origin} only`) });
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
