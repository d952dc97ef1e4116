import { InvalidRequestError } from '../errors.ts';

/** A manifest to upload: a path or `file:` URL (streamed from disk), a Blob, bytes, or the parsed object. */
export type ManifestSource = string | URL | Blob | Uint8Array | ArrayBuffer | object;

/** A manifest with the file name the service is told. */
export interface Manifest {
  readonly source: ManifestSource;
  readonly filename: string | undefined;
}

interface MultipartBody {
  readonly contentType: string;
  readonly body: () => NonNullable<RequestInit['body']>;
}

/** Makes the multipart form of a manifest: one part named `file`, made anew for each attempt (interface: Lineage upload). */
export async function openManifest(manifest: Manifest, subject: string): Promise<MultipartBody> {
  const { source } = manifest;
  const boundary = `----data-quality-client-${crypto.randomUUID()}`;
  const contentType = `multipart/form-data; boundary=${boundary}`;
  const envelope = (filename: string): { head: string; tail: string } => ({
    head:
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${escapeFilename(filename)}"\r\n` +
      `Content-Type: application/json\r\n\r\n`,
    tail: `\r\n--${boundary}--\r\n`,
  });

  if (typeof source === 'string' || source instanceof URL) {
    const file = await openFile(source, subject);
    const { head, tail } = envelope(manifest.filename ?? file.name);
    return { contentType, body: () => concatenate(head, file.stream(), tail) };
  }
  if (typeof source !== 'object' || source === null) {
    const message = 'must be a path, a file: URL, a Blob, bytes or the parsed object';
    throw new InvalidRequestError(subject, [{ path: ['manifest'], message }]);
  }
  const { head, tail } = envelope(
    manifest.filename ?? (source instanceof File ? source.name : 'manifest.json'),
  );
  // A Blob of parts is read part by part when it is sent: the bytes are not copied here.
  const form = new Blob([head, toBlobPart(source, subject), tail]);
  return { contentType, body: () => form };
}

function toBlobPart(
  source: Exclude<ManifestSource, string | URL>,
  subject: string,
): Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string {
  if (source instanceof Blob || source instanceof ArrayBuffer) return source;
  // The cast drops SharedArrayBuffer, which a Blob does not take; TypeScript can't tell the two apart here.
  if (source instanceof Uint8Array) return source as Uint8Array<ArrayBuffer>;
  try {
    return JSON.stringify(source);
  } catch (cause) {
    throw new InvalidRequestError(subject, [{ path: ['manifest'], message: 'is no JSON value' }], { cause });
  }
}

interface OpenedFile {
  readonly name: string;
  readonly stream: () => AsyncIterable<Uint8Array>;
}

async function openFile(location: string | URL, subject: string): Promise<OpenedFile> {
  const refuse = (message: string, cause?: unknown): InvalidRequestError =>
    new InvalidRequestError(
      subject,
      [{ path: ['manifest'], message }],
      cause === undefined ? undefined : { cause },
    );
  // Only a path needs a file system, so only a path loads one: the rest of the client runs in a browser.
  const fileSystem = await import('node:fs').catch((cause: unknown) => {
    throw refuse('a path needs a runtime with a file system; give a Blob or bytes instead', cause);
  });
  const name = String(location);
  try {
    const information = await fileSystem.promises.stat(location);
    if (!information.isFile()) throw refuse(`${name} is no file`);
    if (information.size === 0) throw refuse(`${name} is empty`);
  } catch (cause) {
    if (cause instanceof InvalidRequestError) throw cause;
    throw refuse(`${name} can't be read: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
  const path = location instanceof URL ? decodeURIComponent(location.pathname) : location;
  return {
    name: path.split(/[/\\]/).at(-1) ?? 'manifest.json',
    // What was sent waits for the garbage collector, which looks the less often the larger the pieces are.
    stream: () => fileSystem.createReadStream(location, { highWaterMark: 16 * 1024 }),
  };
}

function concatenate(head: string, file: AsyncIterable<Uint8Array>, tail: string): ReadableStream {
  const encoder = new TextEncoder();
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield encoder.encode(head);
    yield* file;
    yield encoder.encode(tail);
  }
  return ReadableStream.from(parts());
}

/** As browsers escape it in a multipart form. */
function escapeFilename(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
