/** The body was longer than it may be; what came after the limit was not read. */
export const tooLarge = Symbol('too large');

/** Reads a body whole, or stops at the first chunk beyond `maxBytes`. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array | typeof tooLarge> {
  if (Number(request.headers.get('content-length')) > maxBytes) return tooLarge;
  if (request.body === null) return new Uint8Array();

  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.byteLength;
    if (length > maxBytes) {
      // Not awaited: cancelling may wait for a sender that never ends.
      reader.cancel().catch(() => undefined);
      return tooLarge;
    }
    chunks.push(read.value);
  }
  return join(chunks, length);
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
