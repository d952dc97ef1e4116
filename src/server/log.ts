import type { Service } from '../service/service.ts';

/** Something that happened in the running service, for a log. It never contains a key, a secret or a value of the data. */
export interface LogEntry {
  /** ISO 8601, UTC. */
  readonly time: string;
  /** How much it matters. */
  readonly level: 'info' | 'error';
  /** What happened: a request was served, an alert was attempted, something failed. */
  readonly event: 'request' | 'delivery' | 'failure';
  /** What it happened to, by name: for a request `method`, `path`, `status` and `duration_ms`. */
  readonly [field: string]: unknown;
}

/** Writes entries to a log. */
export type Log = (
  level: LogEntry['level'],
  event: LogEntry['event'],
  fields: Readonly<Record<string, unknown>>,
) => void;

/** A log that hands its entries to a function, with the time. */
export function createLog(write: (entry: LogEntry) => void, now: () => number): Log {
  return (level, event, fields) => write({ time: new Date(now()).toISOString(), level, event, ...fields });
}

/** The status of a request whose client left before the response, as proxies write it. */
const clientLeft = 499;

/** The status that a request was served with: whoever has left got no response, whatever it would have been. */
export function servedStatus(request: Request, response: Response): number {
  return request.signal.aborted ? clientLeft : response.status;
}

/** Logs every request that is served: the path without its query. */
export function withRequestLog(service: Service, log: Log): Service {
  return async (request) => {
    const started = performance.now();
    const response = await service(request);
    const status = servedStatus(request, response);
    log(status >= 500 ? 'error' : 'info', 'request', {
      method: request.method,
      path: new URL(request.url).pathname,
      status,
      duration_ms: Math.round(performance.now() - started),
    });
    return response;
  };
}
