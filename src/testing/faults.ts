/** Which requests a fault meets, and how often. */
export interface FaultScope {
  /**
   * Which requests it hits: method and path, such as `GET /api/v1/sdk/validity/*`, or a path alone; `*`
   * matches any characters.
   *
   * @default every request
   */
  readonly on?: string;
  /**
   * How many requests it hits.
   *
   * @default 1
   */
  readonly times?: number;
  /** Milliseconds to wait before anything else happens. */
  readonly delayMs?: number;
}

/** An error, or any status, instead of the response. */
export interface StatusFault extends FaultScope {
  /** 200 to 599. */
  readonly status: number;
  /** Seconds, or an HTTP date, for the header `Retry-After`. */
  readonly retryAfter?: number | string;
  /** Body instead of the error envelope. */
  readonly body?: string;
}

/** The connection breaks before the response. */
export interface ResetFault extends FaultScope {
  /** Always `true`. */
  readonly reset: true;
  /**
   * Whether the service acts on the request before the connection breaks.
   *
   * @default false
   */
  readonly processed?: boolean;
}

/** A 200 with a body of the test's own. */
export interface BodyFault extends FaultScope {
  /** The body of the response. */
  readonly body: string;
  /**
   * The content type of the body.
   *
   * @default 'application/json'
   */
  readonly contentType?: string;
}

/** The connection breaks in the middle of the real response. */
export interface TruncateFault extends FaultScope {
  /** Always `true`. */
  readonly truncate: true;
}

/** A page that starts this many items too early, as if as many had been added in front; negative: removed. */
export interface DriftFault extends FaultScope {
  /** How many items; negative if as many were removed. */
  readonly drift: number;
}

/** The real response, later. */
export interface DelayFault extends FaultScope {
  readonly delayMs: number;
}

/** What goes wrong. */
export type Fault = StatusFault | ResetFault | BodyFault | TruncateFault | DriftFault | DelayFault;

/** The faults still to come; of those that match a request, the one set first hits it. */
export interface FaultQueue {
  add(fault: Fault): void;
  /** The fault that hits this request, if any; that uses up one of its times. */
  take(method: string, path: string): Fault | undefined;
  /** The faults that have not hit as many requests as they were to. */
  unused(): readonly Fault[];
  clear(): void;
}

/** Makes an empty queue. */
export function createFaultQueue(): FaultQueue {
  let queue: { readonly fault: Fault; readonly pattern: RegExp; left: number }[] = [];
  return {
    add(fault) {
      checkFault(fault);
      const { times = 1, on = '*' } = fault;
      queue.push({ fault, pattern: patternOf(on), left: times });
    },
    take(method, path) {
      const hit = queue.find(({ pattern }) => pattern.test(`${method} ${path}`));
      if (hit === undefined) return undefined;
      hit.left -= 1;
      if (hit.left < 1) queue = queue.filter((other) => other !== hit);
      return hit.fault;
    },
    unused: () => queue.map(({ fault }) => fault),
    clear() {
      queue = [];
    },
  };
}

const faultKeys: readonly string[] = [
  'on',
  'times',
  'delayMs',
  'status',
  'retryAfter',
  'body',
  'contentType',
  'reset',
  'processed',
  'truncate',
  'drift',
];

/** Refuses what could never happen: a misspelt fault would leave the test green. */
function checkFault(fault: Fault): void {
  const unknown = Object.keys(fault).find((key) => !faultKeys.includes(key));
  if (unknown !== undefined) {
    throw refuse(`unknown key ${JSON.stringify(unknown)}. Valid keys: ${faultKeys.join(', ')}.`);
  }
  const { times = 1, on } = fault;
  if (!(times >= 1)) throw refuse(`times must be at least 1, not ${times}`);
  if ('status' in fault && !(fault.status >= 200 && fault.status <= 599)) {
    throw refuse(`status must be from 200 to 599, not ${fault.status}`);
  }
  if (!['status', 'reset', 'body', 'truncate', 'drift', 'delayMs'].some((key) => key in fault)) {
    throw refuse('describes no fault; give status, reset, body, truncate, drift or delayMs.');
  }
  if (on !== undefined && !canMatch(on)) {
    throw refuse(
      `on ${JSON.stringify(on)} can match no request. Give a method and a path, such as "GET /api/v1/sdk/validity/*", or a path alone.`,
    );
  }
}

function refuse(reason: string): RangeError {
  return new RangeError(`failNext: ${reason}`);
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

/** Whether any method, and a path from the root on, can match; `*` matches anything. */
function canMatch(on: string): boolean {
  if (/^[*/]/.test(on)) return true;
  const [, method = '', path = ''] = /^(\S+) (.*)$/.exec(on) ?? [];
  return methods.some((name) => patternOf(method).test(name)) && /^[*/]/.test(path);
}

/** Turns `GET /api/v1/*`, or a path alone, into a pattern for method and path. */
export function patternOf(on: string): RegExp {
  const source = on.replaceAll(/[$()+.?[\\\]^{|}]/g, String.raw`\$&`).replaceAll('*', '.*');
  return RegExp(on.startsWith('/') ? `^[A-Z]+ ${source}$` : `^${source}$`);
}
