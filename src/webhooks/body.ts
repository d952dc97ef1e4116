import { WebhookVerificationError } from './verification-error.ts';

/** Reads a body whole; stops at the first chunk beyond `maxBytes`, with `undefined`. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get('content-length')) > maxBytes) return undefined;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let room = maxBytes;
  // Not cancelled at the limit: servers take that as a wish to cut the connection, and the response with it.
  const reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined = request.body?.getReader();
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    room -= read.value.length;
    if (room < 0) return undefined;
    chunks.push(read.value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** What to say when somebody else has read the body, the mistake made most often with signed webhooks. */
export function alreadyParsed(): WebhookVerificationError {
  return new WebhookVerificationError(
    'body_already_parsed',
    "The body was read before its signature was verified. Mount the webhook above express.json(), use express.raw({ type: '*/*' }), or pass request.clone().",
  );
}
