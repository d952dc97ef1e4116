// Wires options, calls and resources together.

import type { Method, Schema } from './contract/endpoint.ts';
import type { RateLimit } from './errors/rate-limit.ts';
import { adHocEndpoint } from './http/ad-hoc-endpoint.ts';
import type { ApiPromise } from './http/api-promise.ts';
import { type Call, createCall } from './http/call.ts';
import { type ListOptions, type PagePromise, requestPages } from './http/paging/pages.ts';
import type { Pacing } from './http/pacing/pacing.ts';
import type { RequestOptions } from './http/settings.ts';
import type { ClientOptions } from './options/client-options.ts';
import { toSettings } from './options/to-settings.ts';
import { FreshnessResource } from './resources/freshness.ts';
import { LineageResource } from './resources/lineage.ts';
import { MetricsResource } from './resources/metrics.ts';
import { ValidityResource } from './resources/validity.ts';

/** A call of an endpoint that has no method yet. */
export interface GenericRequest<Response> {
  /** HTTP method. */
  readonly method: Method;
  /** Path below the base address, `/api/v1/…`. */
  readonly path: string;
  /** Query parameters; those that are `undefined` are left out, and lists are joined by commas. */
  readonly query?:
    Readonly<Record<string, string | number | boolean | readonly string[] | undefined>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Checks and types the value, which is `data` if the response has it, else the whole body. */
  readonly schema?: Schema<Response> | undefined;
}

/** A call of a list endpoint that has no method yet. */
export type GenericListRequest<Item> = Pick<GenericRequest<Item>, 'path' | 'query' | 'schema'>;

/**
 * The client of a data observability service: `validity`, `metrics`, `freshness` and `lineage` on one HTTP core.
 *
 * @throws {ConfigurationError} if its options can't be used.
 *
 * @example
 * const client = new DataQualityClient({ apiKey: 'dq_…', baseUrl: 'https://dq.example.com' });
 * for await (const rule of client.validity.list(assetId)) {
 *   const { status } = await client.validity.check(assetId, rule.uuid);
 * }
 */
export class DataQualityClient {
  /** Validity rules and their checks. */
  readonly validity: ValidityResource;
  /** Metrics and their snapshots. */
  readonly metrics: MetricsResource;
  /** How old the data of an asset is. */
  readonly freshness: FreshnessResource;
  /** Where the data of an asset comes from. */
  readonly lineage: LineageResource;
  readonly #options: ClientOptions;
  readonly #pacing: Pacing;
  readonly #call: Call;

  constructor(options: ClientOptions = {}) {
    const settings = toSettings(options);
    this.#options = options;
    this.#pacing = settings.pacing;
    this.#call = createCall(settings);
    this.validity = new ValidityResource(this.#call);
    this.metrics = new MetricsResource(this.#call);
    this.freshness = new FreshnessResource(this.#call);
    this.lineage = new LineageResource(this.#call);
  }

  /** The rate limit of the key as the service announced it last; `undefined` before the first response. */
  get rateLimit(): RateLimit | undefined {
    return this.#pacing.rateLimit;
  }

  /** Returns a client with some options changed; clients of the same key and base URL share their rate limiter. */
  withOptions(options: ClientOptions): DataQualityClient {
    return createClient({ ...this.#options, ...options });
  }

  /**
   * Calls any endpoint of the service, with the same authentication, retries and errors as any other call: a GET is
   * repeated freely, and so are PUT, PATCH and DELETE; a POST only if it surely did not arrive.
   *
   * @throws {InvalidRequestError} if the path is not one below the base address.
   *
   * @example
   * const asset = await client.request({ method: 'GET', path: `/api/v1/assets/${id}`, schema: z.looseObject({ id: z.string() }) });
   */
  request<Response = unknown>(
    request: GenericRequest<Response>,
    options?: RequestOptions,
  ): ApiPromise<Response> {
    const { method, path, query, body, schema } = request;
    const endpoint = adHocEndpoint(method, path, 'any', schema);
    return this.#call(endpoint, { params: {}, query, body }, options);
  }

  /**
   * Lists any list endpoint of the service: its items are at `data.items`, at `data`, or the one array in the body.
   * `ResponseValidationError` is thrown if the response does not contain a list, or if the list contradicts
   * itself about where it ends.
   *
   * @example
   * for await (const alert of client.paginate({ path: '/api/v1/alerts', query: { limit: 100 } })) console.log(alert);
   */
  paginate<Item = unknown>(
    { path, query, schema }: GenericListRequest<Item>,
    options?: ListOptions,
  ): PagePromise<Item> {
    const endpoint = adHocEndpoint('GET', path, 'any-list', schema);
    return requestPages(this.#call, endpoint, { params: {}, query }, options);
  }
}

/** Outside of the class: bundlers rename a class that names itself, and `console.log` would show that name. */
function createClient(options: ClientOptions): DataQualityClient {
  return new DataQualityClient(options);
}
