/** Which requests a fault meets, and how often. */
export interface FaultScope {
  /**
   * Which requests it hits: method and path, such as `GET /api/v1/sdk/validity/*`, or a path alone; `*` stands for
   * any characters. Default: every request.
   */
  readonly on?: string;
  /** How many requests it hits; default 1. */
  readonly times?: number;
  /** Milliseconds to wait before anything else happens. */
  readonly delayMs?: number;
}

/** An error, or any status, instead of an answer. */
export interface StatusFault extends FaultScope {
  /** 200 to 599. */
  readonly status: number;
  /** Seconds, or an HTTP date, for the header `Retry-After`. */
  readonly retryAfter?: number | string;
  /** Body instead of the error envelope. */
  readonly body?: string;
}

/** The connection breaks before the answer. */
export interface ResetFault extends FaultScope {
  readonly reset: true;
  /** Whether the service acts on the request before the connection breaks; default false. */
  readonly processed?: boolean;
}

/** A 200 with a body of the test's own. */
export interface BodyFault extends FaultScope {
  readonly body: string;
  /** Default `application/json`. */
  readonly contentType?: string;
}

/** The connection breaks in the middle of the real answer. */
export interface TruncateFault extends FaultScope {
  readonly truncate: true;
}

/** A page that starts this many items too early, as if as many had been added in front; negative: removed. */
export interface DriftFault extends FaultScope {
  readonly drift: number;
}

/** The real answer, later. */
export interface DelayFault extends FaultScope {
  readonly delayMs: number;
}

/** What goes wrong. */
export type Fault = StatusFault | ResetFault | BodyFault | TruncateFault | DriftFault | DelayFault;

/** The faults still to come; of those that fit a request, the one set first hits it. */
export interface FaultQueue {
  add(fault: Fault): void;
  /** The fault that hits this request, if any; that uses up one of its times. */
  take(method: string, path: string): Fault | undefined;
  clear(): void;
}

/** Makes an empty queue. */
export function createFaultQueue(): FaultQueue {
  let queue: { readonly fault: Fault; readonly pattern: RegExp; left: number }[] = [];
  return {
    add(fault) {
      const { times = 1, on = '*' } = fault;
      if (!(times >= 1)) throw new RangeError(`failNext: times must be at least 1, not ${times}`);
      if ('status' in fault && !(fault.status >= 200 && fault.status <= 599)) {
        throw new RangeError(`failNext: status must be from 200 to 599, not ${fault.status}`);
      }
      queue.push({ fault, pattern: patternOf(on), left: times });
    },
    take(method, path) {
      const hit = queue.find(({ pattern }) => pattern.test(`${method} ${path}`));
      if (hit === undefined) return undefined;
      hit.left -= 1;
      if (hit.left < 1) queue = queue.filter((other) => other !== hit);
      return hit.fault;
    },
    clear() {
      queue = [];
    },
  };
}

function patternOf(on: string): RegExp {
  const source = on.replaceAll(/[$()+.?[\\\]^{|}]/g, String.raw`\$&`).replaceAll('*', '.*');
  return RegExp(on.startsWith('/') ? `^[A-Z]+ ${source}$` : `^${source}$`);
}
