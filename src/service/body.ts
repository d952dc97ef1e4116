import { bodyTooLarge, incompleteBody, invalidField, Problem, unsupportedMediaType } from './problem.ts';

/** Largest JSON body that is read, in bytes. */
const jsonLimit = 1024 * 1024;

/** Largest upload that is read, in bytes: several times that is needed to read it. */
const uploadLimit = 128 * 1024 * 1024;

function mediaType(request: Request): string {
  const [type = ''] = (request.headers.get('Content-Type') ?? '').split(';', 1);
  return type.trim().toLowerCase();
}

/** The request's body as a stream that fails with 413 as soon as it is too large. */
function limited(request: Request, limitBytes: number): ReadableStream<Uint8Array> | null {
  if (Number(request.headers.get('Content-Length') ?? 0) > limitBytes) throw bodyTooLarge(limitBytes);
  let read = 0;
  return (
    request.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          read += chunk.byteLength;
          if (read > limitBytes) throw bodyTooLarge(limitBytes);
          controller.enqueue(chunk);
        },
      }),
    ) ?? null
  );
}

/** Reads a JSON body; `undefined` if it is empty. */
export async function readJson(request: Request): Promise<unknown> {
  const body = limited(request, jsonLimit);
  let text: string;
  try {
    text = await new Response(body).text();
  } catch (error) {
    throw error instanceof Problem ? error : incompleteBody();
  }
  if (text === '') return undefined;
  if (mediaType(request) !== 'application/json') throw unsupportedMediaType('application/json');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidField('body', `is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads the text of the part named `file` of a multipart upload. */
export async function readUpload(request: Request): Promise<string> {
  if (mediaType(request) !== 'multipart/form-data') throw unsupportedMediaType('multipart/form-data');
  const body = limited(request, uploadLimit);
  const headers = { 'Content-Type': request.headers.get('Content-Type') ?? '' };
  let form: FormData;
  try {
    form = await new Response(body, { headers }).formData();
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw invalidField('file', 'the multipart form cannot be read');
  }
  const file = form.get('file');
  if (file === null) throw invalidField('file', 'the form has no part of this name');
  return typeof file === 'string' ? file : await file.text();
}
