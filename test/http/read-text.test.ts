import { expect, test, vi } from 'vitest';

import { readText } from '../../src/http/read-text.ts';

const text = 'größer'.repeat(10);
const bytes = new TextEncoder().encode(text);

function answered(headers: Record<string, string>, chunkSize = bytes.length) {
  const cancel = vi.fn<() => void>();
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(bytes.subarray(sent, sent + chunkSize));
        sent += chunkSize;
        if (sent >= bytes.length) controller.close();
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
  return { response: new Response(body, { headers }), cancel };
}

test.each([
  ['at once', {}, bytes.length],
  ['in pieces that split letters', {}, 3],
  ['with its length', { 'content-length': String(bytes.length) }, bytes.length],
  ['compressed to less', { 'content-length': '5', 'content-encoding': 'gzip' }, 20],
])('a body that arrives %s is read as it is', async (_, headers, chunkSize) => {
  const { response } = answered(headers, chunkSize);
  expect(await readText(response, bytes.length)).toEqual({ text, isTruncated: false });
});

test.each([
  ['its length says so', { 'content-length': String(bytes.length) }],
  ['it grows too long', {}],
  ['it is longer than its compressed length', { 'content-length': '5', 'content-encoding': 'gzip' }],
])('a body that is too long is not read to its end, if %s', async (_, headers) => {
  const { response, cancel } = answered(headers, 16);
  const read = await readText(response, 31);
  expect(read.isTruncated).toBe(true);
  expect(text.startsWith(read.text.slice(0, 10))).toBe(true);
  expect(cancel).toHaveBeenCalledOnce();
});

test('a response without a body is an empty text', async () => {
  expect(await readText(new Response(null), 1)).toEqual({ text: '', isTruncated: false });
});
