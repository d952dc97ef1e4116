/** How many requests a key may send (interface: Rate limits). */
export interface RequestLimits {
  /** In any minute. */
  readonly perMinute: number;
  /** In any second. */
  readonly perSecond: number;
}

/** What a store grants. */
export interface Permits {
  /** How many calls may be sent now, from 0 to as many as were asked for. */
  readonly granted: number;
  /** Where that is fewer than were asked for: ms until the next one may be. */
  readonly waitMs: number;
}

/** Where processes that share a key keep count together. */
export interface RateLimitStore {
  /** Grants up to `count` calls of a key, never more than its limits allow all processes together. */
  take(key: string, limits: RequestLimits, count: number): Promise<Permits>;
}
