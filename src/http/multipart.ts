import type { FilePart } from '../contract/endpoint.ts';
import { InvalidRequestError } from '../errors/invalid-request-error.ts';

/** A file to upload: a path or `file:` URL (streamed from disk), a Blob, bytes, or the parsed JSON. */
export type FileSource = string | URL | Blob | Uint8Array | ArrayBuffer | object;

/** A file with the name that the service receives for it. */
export interface FileInput {
  readonly source: FileSource;
  readonly filename: string | undefined;
}

interface MultipartBody {
  readonly contentType: string;
  readonly body: () => NonNullable<RequestInit['body']>;
}

/** Makes the multipart form of one file; its body is made again for each attempt. */
export async function openMultipart(
  part: FilePart,
  { source, filename }: FileInput,
  subject: string,
): Promise<MultipartBody> {
  const refuse: Refuse = (message, cause) =>
    new InvalidRequestError(
      subject,
      [{ path: [part.label], message }],
      cause === undefined ? undefined : { cause },
    );
  const boundary = `----data-quality-client-${crypto.randomUUID()}`;
  const contentType = `multipart/form-data; boundary=${boundary}`;
  const envelope = (name: string): { head: string; tail: string } => ({
    head:
      `--${boundary}\r\nContent-Disposition: form-data; name="${part.name}"; filename="${escapeFilename(name)}"\r\n` +
      `Content-Type: application/json\r\n\r\n`,
    tail: `\r\n--${boundary}--\r\n`,
  });

  if (typeof source === 'string' || source instanceof URL) {
    const file = await openFile(source, refuse);
    const { head, tail } = envelope(filename ?? (file.name || part.filename));
    return { contentType, body: () => concatenate(head, file.read(), tail) };
  }
  if (typeof source !== 'object' || source === null) {
    throw refuse('must be a path, a file: URL, a Blob, bytes or the parsed object');
  }
  const content = toBlobPart(source, refuse);
  const isEmpty =
    content instanceof Blob
      ? content.size === 0
      : content instanceof Uint8Array || content instanceof ArrayBuffer
        ? content.byteLength === 0
        : false;
  if (isEmpty) throw refuse('must not be empty');
  const { head, tail } = envelope(filename ?? (source instanceof File ? source.name : part.filename));
  // A Blob of parts is read part by part when it is sent: the bytes are not copied here.
  const form = new Blob([head, content, tail]);
  return { contentType, body: () => form };
}

type Refuse = (message: string, cause?: unknown) => InvalidRequestError;

function toBlobPart(
  source: Exclude<FileSource, string | URL>,
  refuse: Refuse,
): Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string {
  if (source instanceof Blob || source instanceof ArrayBuffer) return source;
  // The cast drops SharedArrayBuffer, which a Blob does not take; TypeScript cannot distinguish the two here.
  if (source instanceof Uint8Array) return source as Uint8Array<ArrayBuffer>;
  try {
    return JSON.stringify(source);
  } catch (cause) {
    throw refuse('is not a JSON value', cause);
  }
}

interface OpenedFile {
  readonly name: string;
  readonly read: () => AsyncIterable<Uint8Array>;
}

async function openFile(location: string | URL, refuse: Refuse): Promise<OpenedFile> {
  // Only a path needs a file system, so only a path loads one: the rest of the client runs in a browser. The comments
  // keep bundlers from looking for the module there.
  const fileSystem = await import(
    /* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ 'node:fs'
  ).catch((cause: unknown) => {
    throw refuse('a path needs a runtime with a file system; pass a Blob or bytes instead', cause);
  });
  const { access, open, stat } = fileSystem.promises;
  const path = String(location);
  const unreadable = (cause: unknown): InvalidRequestError =>
    refuse(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  const information = await stat(location).catch((cause: unknown) => {
    throw unreadable(cause);
  });
  if (!information.isFile()) throw refuse(`${path} is not a file`);
  if (information.size === 0) throw refuse(`${path} is empty`);
  await access(location, fileSystem.constants.R_OK).catch((cause: unknown) => {
    throw unreadable(cause);
  });
  const segments = location instanceof URL ? decodeURIComponent(location.pathname) : location;
  return {
    name: segments.split(/[/\\]/).at(-1) ?? '',
    async *read() {
      // Opened when it is read: the body of an attempt that is refused is never asked for.
      const file = await open(location).catch((cause: unknown) => {
        throw unreadable(cause);
      });
      try {
        // Small chunks keep peak memory low: sent ones are freed by the garbage collector, which then runs more often.
        yield* file.createReadStream({ highWaterMark: 16 * 1024, autoClose: false });
      } catch (cause) {
        throw unreadable(cause);
      } finally {
        await file.close();
      }
    },
  };
}

function concatenate(head: string, file: AsyncIterable<Uint8Array>, tail: string): ReadableStream {
  const encoder = new TextEncoder();
  async function* parts(): AsyncGenerator<Uint8Array> {
    let isFirst = true;
    for await (const chunk of file) {
      // After the first chunk was read, so that nothing is sent of a file that can't be opened any more.
      if (isFirst) yield encoder.encode(head);
      isFirst = false;
      yield chunk;
    }
    yield encoder.encode(tail);
  }
  return ReadableStream.from(parts());
}

/** As browsers escape it in a multipart form. */
function escapeFilename(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
