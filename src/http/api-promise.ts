import type { RateLimit } from '../errors.ts';

/** What is known of an answer besides its value. */
export interface ResponseMeta {
  readonly status: number;
  readonly headers: Headers;
  /** The rate limit announced with the answer, if it was. */
  readonly rateLimit: RateLimit | undefined;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** How long the whole call took, in ms: attempts and waits. */
  readonly durationMs: number;
}

/** A value with what is known of the answer it came in. */
export interface ApiResponse<T> {
  readonly data: T;
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
    super((resolve, reject) => {
      response.then(({ data }) => resolve(data), reject);
    });
    this.#response = response;
  }

  /** The constructor takes another argument than that of `Promise`, so what `then` makes is a plain one. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** Resolves to the value together with what is known of the answer. */
  withResponse(): Promise<ApiResponse<T>> {
    this.leaveUnhandled();
    return this.#response;
  }

  /**
   * A failure is reported by another promise or iterator that the caller holds, so nobody has to handle it here.
   *
   * @internal
   */
  protected leaveUnhandled(): void {
    this.catch(() => undefined);
  }
}
