import type { RateLimit } from '../errors/rate-limit.ts';

/** What is known of a response besides its value. */
export interface ResponseMeta {
  /** HTTP status. */
  readonly status: number;
  /** The headers of the response. */
  readonly headers: Headers;
  /** The id that the service gave the request, if it named one in a header such as `X-Request-Id`. */
  readonly requestId: string | undefined;
  /** The rate limit announced with the response, if it was. */
  readonly rateLimit: RateLimit | undefined;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** How long the whole call took, in ms: attempts and waits. */
  readonly durationMs: number;
}

/** A value with what is known of the response it came in. */
export interface ApiResponse<T> {
  /** The value: what awaiting the call returns. */
  readonly data: T;
  /** What is known of the response. */
  readonly meta: ResponseMeta;
}

/**
 * The promise every method returns: await it for the value, or call `withResponse()` for the value with its
 * status, headers, rate limit, attempts and duration. The call is under way whether it is awaited or not.
 *
 * @example
 * const { data, meta } = await client.validity.summary(assetId).withResponse();
 */
export class ApiPromise<T> extends Promise<T> {
  readonly #response: Promise<ApiResponse<T>>;

  constructor(response: Promise<ApiResponse<T>>) {
    // Each promise from an error to the caller is resolved by the next and by nothing else, as then the engine can follow
    // them, and names the caller in the stack of the error.
    super((resolve) => resolve(response.then(({ data }) => data)));
    this.#response = response;
  }

  /** The constructor takes another argument than that of `Promise`, so `then` makes a plain one. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** Resolves to the value together with what is known of the response. */
  withResponse(): Promise<ApiResponse<T>> {
    return this.then(() => this.#response);
  }

  /**
   * A failure is reported by an iterator that the caller has, so nobody has to handle it here.
   *
   * @internal
   */
  protected leaveUnhandled(): void {
    this.catch(() => undefined);
  }
}
