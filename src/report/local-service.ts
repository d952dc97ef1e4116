import { type DataQualityClient, isApiError } from '../index.ts';

/** Whether a response came from the local service, which has endpoints beside the interface. */
export function isLocalService(headers: Headers): boolean {
  return headers.get('x-data-quality-service') === 'local';
}

/**
 * Reads what the local service has of an asset beside the interface. `headers` are those of any of its responses.
 * Returns `undefined` if it is another service, or if the request fails with an error of the service: a report without
 * it is still a report.
 */
export async function requestLocalAsset(
  client: DataQualityClient,
  assetId: string,
  part: 'lineage' | 'sla',
  { headers, signal }: { readonly headers: Headers; readonly signal: AbortSignal | undefined },
): Promise<unknown> {
  if (!isLocalService(headers)) return undefined;
  const path = `/api/v1/local/assets/${encodeURIComponent(assetId)}/${part}`;
  try {
    return await client.request({ method: 'GET', path }, { signal });
  } catch (error) {
    if (isApiError(error)) return undefined;
    throw error;
  }
}
