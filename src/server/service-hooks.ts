import { servedStatus } from './log.ts';
import type { Service } from '../service/service.ts';

/** A request that the service is about to handle. */
export interface HandledRequest {
  /** HTTP method, as the client sent it. */
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  /** The headers of the request, except those that contain a key: `Authorization` and `Cookie`. */
  readonly headers: Headers;
}

/** What the service responded to a request. */
export interface HandledResponse {
  /** HTTP status; 499 if the client left before the response. */
  readonly status: number;
  /** Path of the endpoint with `{name}` for each parameter; `undefined` for what is not an endpoint of the interface. */
  readonly route: string | undefined;
  /** How long the request was handled, in ms. */
  readonly durationMs: number;
}

/** Handles a request; rejects if the connection ends without a response. */
export type HandleRequest = () => Promise<HandledResponse>;

/** Observers of every request that a service handles. They do not change its response. */
export interface ServiceHooks {
  /**
   * Called for each request, with the function that handles it: call it before the hook returns or first awaits, in an
   * async context of your own. If the hook does not, the request is handled after it. The response does not wait for the
   * hook; what it throws is reported to `onError`.
   */
  readonly aroundRequest?:
    ((request: HandledRequest, handle: HandleRequest) => void | Promise<void>) | undefined;
}

/** What hooks need besides the service. */
export interface ServiceHooksParts {
  readonly hooks: ServiceHooks;
  /** The path of the endpoint that a request was matched with. */
  readonly routeOf: (request: Request) => string | undefined;
  readonly onError: (error: unknown) => void;
}

/** A service whose requests are handled inside of hooks. */
export function withServiceHooks(
  service: Service,
  { hooks: { aroundRequest }, routeOf, onError }: ServiceHooksParts,
): Service {
  if (aroundRequest === undefined) return service;
  return async (request) => {
    let response: Promise<Response> | undefined;
    const respond = async () => {
      response ??= service(request);
      return response;
    };
    const measure = async (): Promise<HandledResponse> => {
      const started = performance.now();
      const status = servedStatus(request, await respond());
      return { status, route: routeOf(request), durationMs: performance.now() - started };
    };
    const handle: HandleRequest = () => {
      const handled = measure();
      // A failure is the caller's to report: a hook that does not look at it leaves none unhandled.
      handled.catch(() => undefined);
      return handled;
    };
    const observe = async () => aroundRequest(observed(request), handle);
    observe().catch(onError);
    return respond();
  };
}

function observed({ method, url, headers }: Request): HandledRequest {
  const shown = new Headers(headers);
  for (const secret of ['Authorization', 'Cookie']) shown.delete(secret);
  return { method, path: new URL(url).pathname, headers: shown };
}
