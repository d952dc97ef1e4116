/** How many requests a key may send. */
export interface RequestLimits {
  /** In any minute. */
  readonly perMinute: number;
  /** In any second. */
  readonly perSecond: number;
}

/** What a store grants. */
export interface Permits {
  /** How many requests may be sent now, from 0 to as many as were asked for. */
  readonly granted: number;
  /** If that is fewer than were asked for: ms until the next one may be, more than 0 and no longer than a minute. */
  readonly waitMs: number;
}

/** What a process asks a store for. */
export interface PermitRequest {
  /** The name of the API key and the service: a hash that does not give them away. */
  readonly key: string;
  /** How many requests the key may send. */
  readonly limits: RequestLimits;
  /** How many requests wait to be sent now. */
  readonly count: number;
  /** Within how many ms a request reaches the service; until then the window it falls into is open. */
  readonly arrivalMs: number;
}

/** What a process learned of the limit of a key. */
export interface LearnedLimit {
  /** How many requests a second the service accepts. */
  readonly perSecond: number;
}

/** Where processes that share a key keep count together, and leave the next one what they learned. */
export interface RateLimitStore {
  /** Grants requests, never more than the limits of the key allow all processes together. */
  take(request: PermitRequest): Promise<Permits>;
  /** Returns what was remembered last for a key; `undefined` if nothing was, or its time is over. */
  recall?(key: string): Promise<LearnedLimit | undefined>;
  /** Remembers what was learned of the limit of a key, for `ms` at most. */
  remember?(key: string, learned: LearnedLimit, ms: number): Promise<void>;
}
