import { ConfigurationError } from '../errors/configuration-error.ts';
import { alreadyParsed } from './body.ts';

/** Header with the signature of a delivery. */
export const signatureHeader = 'x-service-signature';

const prefix = 'sha256=';
const signaturePattern = /^sha256=[0-9a-f]{64}$/;
const encoder = new TextEncoder();

/**
 * Signs a payload as the service does, for tests: `sha256=` and the lowercase hex HMAC-SHA256 of the payload's
 * bytes, text as UTF-8.
 *
 * Rejects with `ConfigurationError` if the secret is empty.
 *
 * @example
 * const body = JSON.stringify({ event_type: 'alert.triggered', alert: { id: 'a1' } });
 * await handle(new Request(url, { method: 'POST', body, headers: { 'X-Service-Signature': await signPayload(body, secret) } }));
 */
export async function signPayload(payload: string | Uint8Array, secret: string): Promise<string> {
  assertRaw(payload);
  secretsOf(secret);
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(secret), bytesOf(payload)));
  return prefix + Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Whether `header`, the value of `X-Service-Signature`, is the signature of the payload under the secret, or under
 * one of several while a secret is being replaced. Give the body as it
 * came, before anything parses it; the comparison takes constant time.
 *
 * A missing or malformed header is `false`, never an error. Rejects with `ConfigurationError` if the
 * secret is missing or empty, and with {@link WebhookVerificationError} if the payload is a body that was
 * already parsed.
 *
 * @example
 * if (!(await verifySignature(await request.text(), request.headers.get('x-service-signature'), secret))) {
 *   return new Response(null, { status: 401 });
 * }
 */
export async function verifySignature(
  payload: string | Uint8Array,
  header: string | null | undefined,
  secret: string | readonly string[],
): Promise<boolean> {
  assertRaw(payload);
  const secrets = secretsOf(secret);
  if (typeof header !== 'string' || !signaturePattern.test(header)) return false;

  const signature = bytesOfHex(header.slice(prefix.length));
  const bytes = bytesOf(payload);
  for (const candidate of secrets) {
    // `subtle.verify` compares in constant time.
    if (await crypto.subtle.verify('HMAC', await keyOf(candidate), signature, bytes)) return true;
  }
  return false;
}

async function keyOf(secret: string) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign', 'verify']);
}

function bytesOf(payload: string | Uint8Array): Uint8Array<ArrayBuffer> {
  // The cast excludes only memory shared between threads, which no body lies in.
  return typeof payload === 'string' ? encoder.encode(payload) : (payload as Uint8Array<ArrayBuffer>);
}

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** The secrets as a list; an empty one is refused, as anybody could sign with it. */
export function secretsOf(secret: string | readonly string[], name = 'secret'): readonly string[] {
  const secrets: readonly string[] = Array.isArray(secret) ? [...secret] : [secret];
  if (secrets.length === 0 || !secrets.every((each) => typeof each === 'string' && each !== '')) {
    throw new ConfigurationError(`${name} is missing or empty.`);
  }
  return secrets;
}

function assertRaw(payload: unknown): void {
  if (typeof payload !== 'string' && !ArrayBuffer.isView(payload)) throw alreadyParsed();
}
