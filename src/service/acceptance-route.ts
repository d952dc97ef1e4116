import * as z from 'zod/mini';

import { defineEndpoint } from '../contract/endpoint.ts';
import { nonEmptyText } from '../contract/field.ts';
import { metricSnapshotSchema } from '../contract/index.ts';
import { createAssets } from './assets.ts';
import { listedSnapshot } from './metrics.ts';
import { metricNotFound, Problem } from './problem.ts';
import { objectRoute, type Route } from './route.ts';
import type { Asset, Store } from './store.ts';

/**
 * Says that what was captured last is normal from now on: a new level after a migration, a group that was retired.
 * The interface has no endpoint for it: this one belongs to the local service, below a path of its own.
 */
const acceptanceEndpoint = defineEndpoint({
  summary: 'Accepts the values of the latest capture of a metric as normal.',
  method: 'POST',
  path: '/api/v1/local/metrics/{asset_id}/{metric_id}/accept',
  retry: 'idempotent',
  scope: 'read-write',
  request: { params: z.strictObject({ asset_id: nonEmptyText, metric_id: nonEmptyText }) },
  envelope: 'object',
  response: z.looseObject({ snapshots: z.array(metricSnapshotSchema) }),
});

/** The route that accepts the latest values of a metric. */
export function acceptanceRoute(assets: readonly Asset[], store: Store): Route {
  const known = createAssets(assets);
  return objectRoute(acceptanceEndpoint, async ({ params }) => {
    const asset = known.byId(params.asset_id);
    const metric = await store.metrics.get(asset.id, params.metric_id);
    if (metric === undefined) throw metricNotFound(params.metric_id);
    const { items } = await store.snapshots.list(metric.internal_id, { limit: 1, offset: 0 });
    const [latest] = items;
    // A value without a group that could not be captured cannot be accepted; of a group it means that the group is gone.
    if (latest === undefined || (latest.value === null && latest.group_values === null)) {
      throw nothingToAccept(metric.id, latest?.error_message);
    }
    const accepted = await store.snapshots.accept(metric.internal_id);
    return { snapshots: accepted.map(listedSnapshot) };
  });
}

function nothingToAccept(metricId: string, reason: string | null | undefined): Problem {
  const message =
    typeof reason !== 'string'
      ? 'The metric was never captured: there is no value to accept'
      : `The latest capture has no value to accept: ${reason}`;
  return new Problem({ status: 409, code: 'NOTHING_TO_ACCEPT', message }, { metric_id: metricId });
}
