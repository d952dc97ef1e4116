import { WebhookVerificationError } from '../errors.ts';
import type { WebhookHandler } from './handler.ts';

/** What is used of Node's `IncomingMessage`, or of the request of Express. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether the whole body has arrived. */
  readonly complete?: boolean;
  /** Whether the connection is gone. */
  readonly destroyed?: boolean;
  /** Whether somebody has begun to read the body. */
  readonly readableDidRead?: boolean;
  /** What a body parser left. */
  readonly body?: unknown;
  /** The bytes that some platforms keep beside what they parsed. */
  readonly rawBody?: unknown;
  on(event: string, listener: (value: never) => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** What is used of Node's `ServerResponse`. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
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
 * where there is one, else a 500 carries its message.
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
      if (next !== undefined) next(error);
      else await send(failure(error), request, response);
    }
  };
}

function toRequest(incoming: NodeRequest): Request {
  const method = incoming.method ?? 'GET';
  // A URL is due, but nothing reads it: neither the Host header nor an absolute target is worth trusting.
  const url = `http://localhost${incoming.url?.startsWith('/') === true ? incoming.url : '/'}`;
  const headers = toHeaders(incoming.headers);
  // A Request takes no body with GET and HEAD, and refuses TRACE: none of them is a delivery.
  if (method !== 'POST') return new Request(url, { method: method === 'HEAD' ? 'HEAD' : 'GET', headers });
  return new Request(url, { method, headers, body: bodyOf(incoming), duplex: 'half' });
}

function toHeaders(incoming: NodeRequest['headers']): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming)) {
    // HTTP/2 adds pseudo headers such as `:path`.
    if (values === undefined || name.startsWith(':')) continue;
    for (const value of Array.isArray(values) ? values : [values]) headers.append(name, value);
  }
  return headers;
}

function bodyOf(incoming: NodeRequest): ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string {
  if (incoming.readableDidRead !== true) return streamOf(incoming);
  const kept = incoming.rawBody ?? incoming.body;
  if (typeof kept === 'string') return kept;
  // The cast excludes only memory shared between threads, which no body lies in.
  if (ArrayBuffer.isView(kept)) return kept as Uint8Array<ArrayBuffer>;
  throw new WebhookVerificationError(
    'body_already_parsed',
    "The body was parsed before the webhook handler got it, and with it what was signed. Mount the handler above express.json() and other body parsers, or put express.raw({ type: '*/*' }) on its route; in Fastify, add a content type parser that leaves the payload alone.",
  );
}

/** The body as it arrives, nothing read before it is asked for. */
function streamOf(incoming: NodeRequest): ReadableStream<Uint8Array> {
  let open = true;
  const end = (act: () => void): void => {
    if (open) act();
    open = false;
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const fail = (): void =>
          end(() => controller.error(new Error('The connection closed before the body was complete.')));
        incoming.on('data', (chunk: Uint8Array) => {
          if (open) controller.enqueue(chunk);
          incoming.pause();
        });
        incoming.on('end', () => end(() => controller.close()));
        incoming.on('error', fail);
        incoming.on('close', fail);
        incoming.pause();
        if (incoming.destroyed === true) fail();
      },
      pull() {
        incoming.resume();
      },
      cancel() {
        // Not destroyed: the answer still has to leave by the same socket.
        end(() => incoming.pause());
      },
    },
    { highWaterMark: 0 },
  );
}

async function send(answer: Response, request: NodeRequest, response: NodeResponse): Promise<void> {
  const body = new Uint8Array(await answer.arrayBuffer());
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  // Kept alive, the connection would have to be read to the end of a body that nobody wants.
  if (request.complete === false) response.setHeader('connection', 'close');
  response.end(body);
}

function failure(error: unknown): Response {
  const message = error instanceof WebhookVerificationError ? error.message : 'failed';
  return new Response(message, { status: 500 });
}
