import type { FreshnessEnvelope } from '../contract/envelope.ts';
import { type Freshness, freshnessEndpoints, type FreshnessQuery } from '../contract/freshness.ts';
import type { Issue } from '../contract/issue.ts';
import { InvalidRequestError } from '../errors/invalid-request-error.ts';
import { AbortError } from '../errors/no-result-errors.ts';
import { ApiPromise, type ApiResponse } from '../http/api-promise.ts';
import type { Call } from '../http/call.ts';
import { milliseconds } from '../http/request-options.ts';
import type { RequestOptions } from '../http/settings.ts';
import { wait } from '../http/wait.ts';
import { judgeFreshness } from '../judgement/freshness.ts';
import { StaleDataError } from './stale-data-error.ts';

/** When data counts as fresh. */
export interface RequireFreshOptions {
  /**
   * Oldest age allowed, in minutes, in addition to the threshold of the service.
   *
   * @default the threshold of the service alone
   */
  readonly maxAgeMinutes?: number | undefined;
}

/** When data counts as fresh, and how long to wait for it. */
export interface WaitUntilFreshOptions extends RequireFreshOptions {
  /**
   * Milliseconds between two requests.
   *
   * @default 30_000
   */
  readonly interval?: number | undefined;
  /**
   * Milliseconds to wait in total.
   *
   * @default 3_600_000
   */
  readonly timeout?: number | undefined;
}

const defaultInterval = 30_000;
const defaultWait = 3_600_000;

/** How old the data of an asset is, and whether it is fresh. */
export class FreshnessResource {
  readonly #call: Call;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Returns how old the data of an asset is, and whether the service considers it fresh.
   *
   * @throws {AssetNotFoundError} if the asset does not exist or is not accessible.
   * @throws {FreshnessNotConfiguredError} if no threshold is configured.
   */
  get(assetId: string, options?: RequestOptions): ApiPromise<Freshness> {
    return this.#call(freshnessEndpoints.get, { params: { asset_id: assetId } }, options);
  }

  /** Returns one page of the freshness of an asset's tables; the shape of its entries is not documented. */
  overview(assetId: string, query?: FreshnessQuery, options?: RequestOptions): ApiPromise<FreshnessEnvelope> {
    return this.#call(freshnessEndpoints.overview, { params: { asset_id: assetId }, query }, options);
  }

  /**
   * Returns the freshness of an asset if its data is fresh, as `judgeFreshness` judges it.
   *
   * @throws {StaleDataError} if the data is stale or its freshness unknown; its `outcome` says which.
   * @example
   * await client.freshness.requireFresh(assetId, { maxAgeMinutes: 90 });
   */
  requireFresh(
    assetId: string,
    { maxAgeMinutes }: RequireFreshOptions = {},
    options?: RequestOptions,
  ): ApiPromise<Freshness> {
    const required = async (): Promise<ApiResponse<Freshness>> => {
      checkOptions({ maxAgeMinutes });
      const response = await this.get(assetId, options).withResponse();
      if (!isFresh(response.data, maxAgeMinutes)) {
        throw new StaleDataError(assetId, response.data, maxAgeMinutes);
      }
      return response;
    };
    return new ApiPromise(required());
  }

  /**
   * Requests the freshness of an asset every `interval` ms until its data is fresh, and returns it. An error of a
   * request is thrown at once.
   *
   * @throws {StaleDataError} if the data is not fresh after `timeout` ms.
   * @example
   * await client.freshness.waitUntilFresh(assetId, { interval: 60_000, timeout: 1_800_000 });
   */
  waitUntilFresh(
    assetId: string,
    { interval = defaultInterval, timeout = defaultWait, maxAgeMinutes }: WaitUntilFreshOptions = {},
    options?: RequestOptions,
  ): ApiPromise<Freshness> {
    const fresh = async (): Promise<ApiResponse<Freshness>> => {
      checkOptions({ maxAgeMinutes }, { interval, timeout });
      const deadline = performance.now() + timeout;
      while (true) {
        const response = await this.get(assetId, options).withResponse();
        if (isFresh(response.data, maxAgeMinutes)) return response;
        const remaining = deadline - performance.now();
        if (remaining <= 0) throw new StaleDataError(assetId, response.data, maxAgeMinutes);
        await wait(Math.min(interval, remaining), options?.signal).catch((reason: unknown) => {
          const { method, path } = freshnessEndpoints.get;
          throw new AbortError({ method, path, attempts: response.meta.attempts }, false, reason);
        });
      }
    };
    return new ApiPromise(fresh());
  }
}

function isFresh(freshness: Freshness, maxAgeMinutes: number | undefined): boolean {
  return judgeFreshness(freshness, { maxAgeMinutes }).outcome === 'passed';
}

function checkOptions(
  { maxAgeMinutes }: RequireFreshOptions,
  waits: Readonly<Record<string, number>> = {},
): void {
  const issues: Issue[] = Object.entries(waits).flatMap(([name, value]) => {
    const message = milliseconds(value);
    return message === undefined ? [] : [{ path: [name], message }];
  });
  if (maxAgeMinutes !== undefined && !(typeof maxAgeMinutes === 'number' && maxAgeMinutes > 0)) {
    issues.push({ path: ['maxAgeMinutes'], message: `must be more than 0, not ${String(maxAgeMinutes)}` });
  }
  if (issues.length > 0) throw new InvalidRequestError('freshness', issues);
}
