/** The rate limit of the key as the service last announced it in its `X-RateLimit-*` headers. */
export interface RateLimit {
  /** Requests allowed in the current window. */
  readonly limit: number;
  /** Requests left in the current window. */
  readonly remaining: number;
  /** When the window ends and `remaining` is full again. */
  readonly resetAt: Date;
}
