import { secretsOf, signPayload, verifySignature } from './signature.ts';

/** What the destination was configured to send. */
export type WebhookAuth =
  | {
      /** The token of `Authorization: Bearer <TOKEN>`. */
      readonly bearer: string;
    }
  | {
      /** The key of `X-API-Key: <API_KEY>`. */
      readonly apiKey: string;
    };

/** Makes the check of a delivery's credentials; everything passes if none were configured. */
export function createCredentialCheck(
  auth: WebhookAuth | undefined,
): (headers: Headers) => boolean | Promise<boolean> {
  if (auth === undefined) return () => true;
  const [header, secret, scheme] =
    'bearer' in auth ? ['authorization', auth.bearer, 'Bearer '] : ['x-api-key', auth.apiKey, ''];
  secretsOf(secret, 'auth.bearer or auth.apiKey');
  const expected = scheme + secret;
  // Comparing keyed digests takes the same time whatever was given, its length included.
  return async (headers) =>
    verifySignature(headers.get(header) ?? '', await signPayload(expected, secret), secret);
}
