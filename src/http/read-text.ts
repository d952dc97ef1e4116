/** What is kept of a body that is too long: enough for a message. */
const shownLength = 4096;

const decoder = /* @__PURE__ */ new TextDecoder();

/**
 * Reads the body of a response as text, but no more than `maxBytes` of it. What is counted is what arrives here, after
 * decompression: a few kilobytes on the wire can be gigabytes in memory.
 */
export async function readText(
  response: Response,
  maxBytes: number,
): Promise<{ readonly text: string; readonly isTruncated: boolean }> {
  const announced = response.headers.get('content-length');
  const isPlain = announced !== null && !response.headers.has('content-encoding');
  if (response.body === null || (isPlain && Number(announced) <= maxBytes)) {
    return { text: await response.text(), isTruncated: false };
  }
  const reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> = response.body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let room = maxBytes;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value);
    room -= read.value.byteLength;
    if (room < 0) {
      // The rest may be endless; whether the connection ends well does not matter.
      reader.cancel().catch(() => undefined);
      const [first] = chunks as [Uint8Array, ...Uint8Array[]];
      return { text: decoder.decode(first.subarray(0, shownLength)), isTruncated: true };
    }
  }
  // All bytes at once: piece by piece, Node is slower, and so is the parsing of what it makes.
  const [only] = chunks;
  const bytes = chunks.length === 1 ? only : await new Blob(chunks).arrayBuffer();
  return { text: decoder.decode(bytes), isTruncated: false };
}
