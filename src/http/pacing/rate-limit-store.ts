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

/** What a process asks a store for. */
export interface PermitRequest {
  /** Names the API key and the service without giving them away. */
  readonly key: string;
  readonly limits: RequestLimits;
  /** How many calls wait to be sent now. */
  readonly count: number;
  /** Within how many ms a call reaches the service; until then the window it falls into is open. */
  readonly arrivalMs: number;
}

/** Where processes that share a key keep count together. */
export interface RateLimitStore {
  /** Grants calls, never more than the limits of the key allow all processes together. */
  take(request: PermitRequest): Promise<Permits>;
}
