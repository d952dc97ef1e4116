import { ConfigurationError } from '../errors.ts';
import { signPayload, verifySignature } from './signature.ts';

/** What the destination was configured to send (interface: Outbound webhook authentication). */
export type WebhookAuth =
  | {
      /** The token of `Authorization: Bearer <TOKEN>`. */
      readonly bearer: string;
    }
  | {
      /** The key of `X-API-Key: <API_KEY>`. */
      readonly apiKey: string;
    };

/** Makes the check of a delivery's credentials; everything passes where none were configured. */
export function createCredentialCheck(
  auth: WebhookAuth | undefined,
): (headers: Headers) => boolean | Promise<boolean> {
  if (auth === undefined) return () => true;
  const expected = 'bearer' in auth ? auth.bearer : auth.apiKey;
  if (typeof expected !== 'string' || expected === '') {
    throw new ConfigurationError('auth.bearer or auth.apiKey is missing or empty.');
  }
  return async (headers) => {
    const given =
      'bearer' in auth
        ? /^bearer +(.+)$/i.exec(headers.get('authorization') ?? '')?.[1]
        : headers.get('x-api-key');
    // Comparing keyed digests takes the same time whatever was given, its length included.
    return verifySignature(given ?? '', await signPayload(expected, expected), expected);
  };
}
