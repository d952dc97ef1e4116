import type { Endpoint } from '../contract/endpoint.ts';
import type { ApiErrorResponse } from '../errors/api-error.ts';
import type { CallDescription } from '../errors/call-description.ts';
import { NotFoundError } from '../errors/documented-errors.ts';
import { toApiError } from './api-error.ts';
import { decode, invalidResponse } from './decode.ts';
import { redactResponse } from './redact.ts';
import type { Settings } from './settings.ts';
import type { RawResponse } from './transport.ts';

/** What a response announces beside its value. */
export type Announced = Pick<ApiErrorResponse, 'rateLimit' | 'retryAfterMs'>;

/** Returns the value of a response, or throws the error that it amounts to, which never shows the key. */
export function readResponse(
  endpoint: Endpoint,
  call: CallDescription,
  response: RawResponse,
  key: string,
  announced: Announced,
  { responseValidation, log }: Pick<Settings, 'responseValidation' | 'log'>,
): unknown {
  const decoded = decode(endpoint, response, responseValidation !== 'off');
  if (decoded.outcome === 'value' && decoded.issues.length === 0) return decoded.value;

  // Read again without the key, because issues quote the response.
  const shown = redactResponse(response, key);
  const { issues } = { issues: [], ...decode(endpoint, shown, responseValidation !== 'off') };
  if (decoded.outcome === 'failed') {
    const error = toApiError(endpoint, call, shown, announced);
    // A DELETE that may have worked the first time and finds nothing the second time has done its work.
    const isGone = error instanceof NotFoundError && error.code.endsWith('_NOT_FOUND');
    if (isGone && call.maybeProcessedBefore === true && endpoint.method === 'DELETE')
      return { success: true };
    throw error;
  }
  const error = invalidResponse(call, shown, issues);
  if (decoded.outcome === 'unusable' || responseValidation === 'throw') throw error;
  log.warn?.(error.message);
  return decoded.value;
}
