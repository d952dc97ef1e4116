import { type DataQualityClient, DataQualityError, isApiError } from '../index.ts';
import { CliError } from './cli-error.ts';
import { exitCode } from '../judgement/exit-code.ts';

/** A request to an endpoint that only the local service has. */
export interface LocalRequest {
  readonly method: 'GET' | 'POST';
  /** Path below `/api/v1/local/`, its parts escaped. */
  readonly path: string;
  readonly query?: Readonly<Record<string, number | undefined>>;
  /** What to report to the user of a service that has no such endpoint. */
  readonly missing: string;
}

/** Asks the local service. Ends the command if the service is another. */
export async function requestLocal<Data>(
  client: DataQualityClient,
  { method, path, query, missing }: LocalRequest,
  signal: AbortSignal,
): Promise<Data> {
  try {
    return await client.request<Data>(
      { method, path: `/api/v1/local/${path}`, ...(query !== undefined && { query }) },
      { signal },
    );
  } catch (error) {
    if (isUnknownEndpoint(error)) throw new CliError(exitCode.usage, missing, { cause: error });
    throw error;
  }
}

/** An asset or metric that does not exist is a 404 with a code of its own. */
function isUnknownEndpoint(error: unknown): boolean {
  if (!(error instanceof DataQualityError) || !('status' in error)) return false;
  if (isApiError(error, 'ASSET_NOT_FOUND') || isApiError(error, 'METRIC_NOT_FOUND')) return false;
  return error.status === 404 || error.status === 405;
}
