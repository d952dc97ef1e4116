import { gzipSync } from 'node:zlib';

/** Ways of sending the same body. */
export const framings = ['content-length', 'chunked', 'until the end', 'gzip'] as const;

/** One of the ways. */
export type Framing = (typeof framings)[number];

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** Writes a response by hand. */
export function frame(body: unknown, framing: Framing): Buffer {
  const text = Buffer.from(JSON.stringify(body));
  if (framing === 'until the end')
    return Buffer.concat([Buffer.from(`${head}Connection: close\r\n\r\n`), text]);
  if (framing === 'chunked') {
    const chunks = [text.subarray(0, 9), text.subarray(9)].flatMap((chunk) => [
      Buffer.from(`${chunk.byteLength.toString(16)}\r\n`),
      chunk,
      Buffer.from('\r\n'),
    ]);
    return Buffer.concat([
      Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`),
      ...chunks,
      Buffer.from('0\r\n\r\n'),
    ]);
  }
  const sent = framing === 'gzip' ? gzipSync(text) : text;
  const encoding = framing === 'gzip' ? 'Content-Encoding: gzip\r\n' : '';
  return Buffer.concat([Buffer.from(`${head}${encoding}Content-Length: ${sent.byteLength}\r\n\r\n`), sent]);
}
