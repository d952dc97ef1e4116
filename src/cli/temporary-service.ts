import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DataQualityClient } from '../index.ts';
import type { LocalServiceOptions } from '../local/index.ts';

/** Runs a task on a local service that lives as long as that takes and keeps nothing. */
export async function onTemporaryService<Value>(
  data: Pick<LocalServiceOptions, 'data' | 'sources' | 'freshness'>,
  task: (client: DataQualityClient, asset: string) => Promise<Value>,
): Promise<Value> {
  const { startLocalService } = await import('../local/index.ts');
  const { DataQualityClient } = await import('../index.ts');
  const state = await mkdtemp(join(tmpdir(), 'dq-'));
  try {
    await using service = await startLocalService({ ...data, state, allowDestinations: false });
    const client = new DataQualityClient({
      baseUrl: service.url,
      apiKey: service.keys.readWrite,
      rateLimit: false,
    });
    return await task(client, service.assets[0]?.id ?? '');
  } finally {
    await rm(state, { recursive: true, force: true });
  }
}
