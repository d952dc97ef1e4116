import { WebhookVerificationError } from './verification-error.ts';
import { alreadyParsed } from './body.ts';
import type { WebhookHandler } from './handler.ts';

/** What is used of Node's `IncomingMessage`, or of the request of Express. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  /** HTTP method, in capitals. */
  readonly method?: string | undefined;
  /** Path and query of the request. */
  readonly url?: string | undefined;
  /** The headers, by their names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether somebody has begun to read the body. */
  readonly readableDidRead?: boolean;
  /** Whether the body was read to its end. */
  readonly readableEnded?: boolean;
  /** What a body parser left. */
  readonly body?: unknown;
  /** The bytes that some platforms keep beside what they parsed. */
  readonly rawBody?: unknown;
}

/** What is used of Node's `ServerResponse`. */
export interface NodeResponse {
  /** HTTP status of the response. */
  statusCode: number;
  /** Sets a header of the response. */
  setHeader(name: string, value: string): unknown;
  /** Ends the response with its body. */
  end(body: Uint8Array): unknown;
}

/** A request listener of `node:http`, which is a middleware of Express too. */
export type NodeHandler = (
  request: NodeRequest,
  response: NodeResponse,
  next?: (error?: unknown) => void,
) => Promise<void>;

/**
 * Adapts a webhook handler to Node's `http`, to Express, and to Fastify by its `raw` request and reply.
 *
 * Mount it before any body parser, or behind one that keeps the bytes (`express.raw({ type: '*\/*' })`). A body that
 * was parsed already is refused with {@link WebhookVerificationError}, reason `body_already_parsed`: it goes to `next`
 * if there is one, else it is the body of a 500.
 *
 * @example
 * http.createServer(toNodeHandler(handle)).listen(3000);
 * app.post('/alerts', toNodeHandler(handle)); // above app.use(express.json())
 */
export function toNodeHandler(handle: WebhookHandler): NodeHandler {
  return async (request, response, next) => {
    try {
      await send(await handle(toRequest(request)), request, response);
    } catch (error) {
      if (next !== undefined) return next(error);
      const advice = error instanceof WebhookVerificationError ? error.message : null;
      await send(new Response(advice, { status: 500 }), request, response);
    }
  };
}

function toRequest(incoming: NodeRequest): Request {
  const { method = 'GET', url = '' } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    // HTTP/2 adds pseudo headers such as `:path`, which Headers cannot contain.
    if (value !== undefined && name[0] !== ':') headers.set(name, String(value));
  }
  // A URL is due, and nobody may trust the Host header for it.
  return new Request(`http://localhost${url[0] === '/' ? url : ''}`, {
    // A Request cannot be TRACE; it is refused either way.
    method: method === 'TRACE' ? 'GET' : method,
    headers,
    body: method === 'POST' ? bodyOf(incoming) : null,
    duplex: 'half',
  });
}

function bodyOf(incoming: NodeRequest): ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string {
  if (incoming.readableDidRead !== true) return ReadableStream.from(incoming);
  const kept = incoming.rawBody ?? incoming.body;
  if (typeof kept === 'string') return kept;
  // The cast excludes only memory shared between threads, which no body lies in.
  if (ArrayBuffer.isView(kept)) return kept as Uint8Array<ArrayBuffer>;
  throw alreadyParsed();
}

async function send(outcome: Response, request: NodeRequest, response: NodeResponse): Promise<void> {
  const body = new Uint8Array(await outcome.arrayBuffer());
  response.statusCode = outcome.status;
  for (const [name, value] of outcome.headers) response.setHeader(name, value);
  // Kept alive, the connection would have to be read to the end of a body that nobody wants.
  if (request.readableEnded === false) response.setHeader('connection', 'close');
  response.end(body);
}
