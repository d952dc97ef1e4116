import * as z from 'zod/mini';

import { defineEndpoint } from '../contract/endpoint.ts';
import { assetParamsSchema, type Field } from '../contract/field.ts';
import { createAssets } from './assets.ts';
import { freshnessNotConfigured } from './problem.ts';
import { objectRoute, type Route } from './route.ts';
import { type Sla, startOfWeeks, summarizeSla } from './sla.ts';
import type { Asset, FreshnessStore } from './store.ts';

/** Percent of the time that data is to be fresh, if nothing else is configured. */
const defaultTarget = 99;

const defaultWeeks = 4;
const mostWeeks = 53;

/**
 * How long the data of an asset was fresh in the past. The interface only has one reading: this endpoint belongs to
 * the local service, below a path of its own.
 */
const slaEndpoint = defineEndpoint({
  summary: 'Returns how much of the past weeks the data of an asset was fresh, as far as the service looked.',
  method: 'GET',
  path: '/api/v1/local/assets/{asset_id}/sla',
  retry: 'safe',
  scope: 'read-only',
  request: {
    params: assetParamsSchema,
    query: z.strictObject({
      weeks: z.optional(z.int().check(z.gte(1), z.lte(mostWeeks))),
      target_percent: z.optional(z.number().check(z.gt(0), z.lt(100))),
    }),
  },
  envelope: 'object',
  // The cast names what the loose schema lets through.
  response: z.looseObject({ asset: z.string() }) as unknown as Field<Sla>,
});

/** What the route works with. */
export interface SlaParts {
  readonly assets: readonly Asset[];
  readonly store: FreshnessStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What is configured for the freshness of an asset; undefined if nothing is. */
  readonly configured: (
    asset: Asset,
  ) => Promise<{ readonly target_percent?: number | undefined } | undefined>;
}

/** The route that returns how well an asset kept its threshold. */
export function slaRoute({ assets, store, now, configured }: SlaParts): Route {
  const known = createAssets(assets);
  return objectRoute(slaEndpoint, async ({ params, query }) => {
    const asset = known.byIdOrName(params.asset_id);
    const configuration = await configured(asset);
    if (configuration === undefined) throw freshnessNotConfigured(asset.id);
    const weeks = query.weeks ?? defaultWeeks;
    const time = now();
    const periods = await store.list(asset.id, startOfWeeks(weeks, time));
    const target = query.target_percent ?? configuration.target_percent ?? defaultTarget;
    return summarizeSla(periods, { asset: asset.name, target, weeks, now: time });
  });
}
