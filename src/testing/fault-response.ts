import type { Service } from '../service/service.ts';
import type { Fault } from './faults.ts';

/** The connection breaks before a response; the mount turns it into a network error of its own. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset' as const;
  readonly code = 'ECONNRESET' as const;

  constructor() {
    super('read ECONNRESET');
  }
}

const codes = new Map([
  [400, 'VALIDATION_ERROR'],
  [401, 'UNAUTHORIZED'],
  [403, 'FORBIDDEN'],
  [404, 'NOT_FOUND'],
  [422, 'FRESHNESS_NOT_CONFIGURED'],
  [429, 'RATE_LIMITED'],
  [500, 'INTERNAL_ERROR'],
]);

/** Responds to a request as the fault says; rejects with {@link ConnectionReset} if the fault is a reset. */
export async function respondWithFault(fault: Fault, request: Request, service: Service): Promise<Response> {
  if (fault.delayMs !== undefined) await wait(fault.delayMs, request.signal);
  if ('reset' in fault) {
    if (fault.processed === true) await service(request);
    throw new ConnectionReset();
  }
  if ('status' in fault) return statusResponse(fault);
  if ('body' in fault) {
    return new Response(fault.body, { headers: { 'Content-Type': fault.contentType ?? 'application/json' } });
  }
  if ('truncate' in fault) return truncated(await service(request));
  return 'drift' in fault ? drifted(fault.drift, request, service) : service(request);
}

/** Waits, or until the request is given up. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', done);
    resolve();
  };
  const timer = setTimeout(done, ms);
  signal.addEventListener('abort', done);
  return promise;
}

function statusResponse(fault: Fault & { readonly status: number }): Response {
  const { status } = fault;
  const retryAfter = 'retryAfter' in fault ? fault.retryAfter : undefined;
  const headers = new Headers(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) });
  // These statuses may not have a body.
  if ([204, 205, 304].includes(status)) return new Response(null, { status, headers });
  if ('body' in fault) return new Response(fault.body, { status, headers });
  const code = codes.get(status) ?? (status >= 500 ? 'INTERNAL_ERROR' : `HTTP_${status}`);
  const error = { code, message: `Set by failNext: ${status}`, details: {} };
  return Response.json({ error }, { status, headers });
}

/** The first half of a response, then the connection breaks. */
async function truncated(answer: Response): Promise<Response> {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    // Pulled twice, so that the half is read before the stream fails.
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated', { cause: new ConnectionReset() }));
      else controller.enqueue(bytes.subarray(0, bytes.length >> 1));
      sent = true;
    },
  });
  return new Response(body, { status: answer.status, headers: answer.headers });
}

/** A page of a list that has moved: requested at the old place, returned as if at the new one. */
async function drifted(by: number, request: Request, service: Service): Promise<Response> {
  const url = new URL(request.url);
  const offset = Number(url.searchParams.get('offset') ?? 0);
  url.searchParams.set('offset', String(Math.max(0, offset - by)));
  const answer = await service(new Request(url, request));
  const body: unknown = await answer.json();
  if (!hasPagination(body)) return Response.json(body, answer);
  const pagination = { ...body.pagination, offset, total: Math.max(0, body.pagination.total + by) };
  return Response.json({ ...body, pagination }, answer);
}

function hasPagination(body: unknown): body is { readonly pagination: { readonly total: number } } {
  return typeof body === 'object' && body !== null && 'pagination' in body;
}
