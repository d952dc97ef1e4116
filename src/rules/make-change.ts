import type { DataQualityClient } from '../client.ts';
import { isApiError } from '../errors/documented-errors.ts';
import type { Change } from './changes.ts';
import type { CreatedSincePlan } from './created-since-plan.ts';

/** A change that takes a request to make. */
export type ChangeToMake = Exclude<Change, { readonly action: 'unchanged' }>;

/** Makes one change. */
export async function makeChange(
  client: DataQualityClient,
  assetId: string,
  change: ChangeToMake,
  created: CreatedSincePlan,
  signal: AbortSignal | undefined,
): Promise<void> {
  const options = { signal };
  const { validity, metrics } = client;
  switch (change.action) {
    case 'create':
      if (change.kind === 'metric') {
        const id =
          created.takeMetric(change.body) ?? (await metrics.create(assetId, change.body, options)).id;
        if (!change.is_active) await metrics.update(assetId, id, { is_active: false }, options);
        return;
      }
      await createRule(change);
      return;
    case 'update':
      if (change.kind === 'metric') await metrics.update(assetId, change.id, change.patch, options);
      else await validity.update(assetId, change.id, change.patch, options);
      return;
    case 'replace':
      await createRule(change);
      await ignoreNotFound(validity.delete(assetId, change.id, options));
      return;
    case 'delete':
      await ignoreNotFound(
        (change.kind === 'metric' ? metrics : validity).delete(assetId, change.id, options),
      );
  }

  async function createRule({
    body,
    is_active,
  }: Extract<Change, { kind: 'rule'; action: 'create' | 'replace' }>): Promise<void> {
    const id = created.findRule(body) ?? (await validity.create(assetId, body, options)).uuid;
    if (!is_active) await validity.update(assetId, id, { is_active: false }, options);
  }
}

/** What is gone needs no deletion. */
async function ignoreNotFound(deletion: PromiseLike<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!isApiError(error, 'RULE_NOT_FOUND') && !isApiError(error, 'METRIC_NOT_FOUND')) throw error;
  }
}
