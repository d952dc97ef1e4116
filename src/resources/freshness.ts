import type { FreshnessEnvelope } from '../contract/envelope.ts';
import { type Freshness, freshnessEndpoints, type FreshnessQuery } from '../contract/freshness.ts';
import { AbortError, InvalidRequestError, type Issue, StaleDataError } from '../errors.ts';
import { ApiPromise, type ApiResponse } from '../http/api-promise.ts';
import type { Call } from '../http/call.ts';
import { milliseconds } from '../http/request-options.ts';
import type { RequestOptions } from '../http/settings.ts';
import { wait } from '../http/wait.ts';

/** When data counts as fresh. */
export interface RequireFreshOptions {
  /** Oldest age allowed, in minutes; by default the service's own threshold decides. */
  readonly maxAgeMinutes?: number | undefined;
}

/** When data counts as fresh, and how long to wait for it. */
export interface WaitUntilFreshOptions extends RequireFreshOptions {
  /** Milliseconds between two looks; default 30,000. */
  readonly interval?: number | undefined;
  /** Milliseconds until the wait is given up; default 3,600,000, an hour. */
  readonly timeout?: number | undefined;
}

const defaultInterval = 30_000;
const defaultWait = 3_600_000;

/** Freshness: how old the data of an asset is, and whether that is allowed (interface: Freshness). */
export class FreshnessResource {
  readonly #call: Call;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Returns whether the data of an asset is fresh. Throws `AssetNotFoundError`, and `FreshnessNotConfiguredError`
   * where no threshold is configured.
   */
  get(assetId: string, options?: RequestOptions): ApiPromise<Freshness> {
    return this.#call(freshnessEndpoints.get, { params: { asset_id: assetId } }, options);
  }

  /** Returns one page of the freshness of an asset's tables; the interface does not show the shape of its entries. */
  overview(assetId: string, query?: FreshnessQuery, options?: RequestOptions): ApiPromise<FreshnessEnvelope> {
    return this.#call(freshnessEndpoints.overview, { params: { asset_id: assetId }, query }, options);
  }

  /**
   * Returns the freshness of an asset if its data is fresh, else throws `StaleDataError`: also where the
   * service does not know.
   *
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
        throw new StaleDataError(assetId, response.data ?? {}, maxAgeMinutes);
      }
      return response;
    };
    return new ApiPromise(required());
  }

  /**
   * Looks every `interval` ms until the data of an asset is fresh, and returns its freshness; throws
   * `StaleDataError` when `timeout` ms are over, and at once what else a look throws.
   *
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
        if (remaining <= 0) throw new StaleDataError(assetId, response.data ?? {}, maxAgeMinutes);
        await wait(Math.min(interval, remaining), options?.signal).catch((reason: unknown) => {
          const { method, path } = freshnessEndpoints.get;
          throw new AbortError({ method, path, attempts: response.meta.attempts }, false, reason);
        });
      }
    };
    return new ApiPromise(fresh());
  }
}

function isFresh(freshness: Freshness | null, maxAgeMinutes: number | undefined): boolean {
  // Where answers are not validated they can be anything, and what can't be read is not known to be fresh.
  const status = typeof freshness?.status === 'string' ? freshness.status.toLowerCase() : undefined;
  if (maxAgeMinutes === undefined) return status === 'fresh';
  const age = freshness?.data_age_minutes;
  return status !== 'unknown' && typeof age === 'number' && age <= maxAgeMinutes;
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
