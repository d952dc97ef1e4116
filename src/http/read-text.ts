/** What is kept of a body that is too long: enough for a message. */
const shownLength = 4096;

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
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let room = maxBytes;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    text += decoder.decode(read.value.subarray(0, room), { stream: true });
    room -= read.value.byteLength;
    if (room < 0) {
      // The rest may be endless; whether the connection ends well does not matter.
      reader.cancel().catch(() => undefined);
      return { text: text.slice(0, shownLength), isTruncated: true };
    }
  }
  return { text: text + decoder.decode(), isTruncated: false };
}
