import * as z from 'zod/mini';

import { defineEndpoint } from '../contract/endpoint.ts';
import { assetParamsSchema } from '../contract/field.ts';
import { createAssets } from '../service/assets.ts';
import { objectRoute, type Route } from '../service/route.ts';
import type { Asset } from '../service/store.ts';
import type { ScannedTable, Source } from './source.ts';

// The interface lists neither assets nor tables: these two belong to the local service, below a path of its own.

const assetsEndpoint = defineEndpoint({
  summary: 'Lists the assets of the service.',
  method: 'GET',
  path: '/api/v1/local/assets',
  retry: 'safe',
  scope: 'read-only',
  request: { params: z.strictObject({}) },
  envelope: 'object',
  response: z.looseObject({ assets: z.array(z.looseObject({ id: z.string(), name: z.string() })) }),
});

const tablesEndpoint = defineEndpoint({
  summary: 'Lists the tables of an asset with their columns, as the files are now.',
  method: 'GET',
  path: '/api/v1/local/assets/{asset_id}/tables',
  retry: 'safe',
  scope: 'read-only',
  request: { params: assetParamsSchema },
  envelope: 'object',
  response: z.looseObject({ tables: z.array(z.looseObject({ table_path: z.string() })) }),
});

/** The routes that list the assets, and the tables of an asset. */
export function assetRoutes(assets: readonly Asset[], source: Source): readonly Route[] {
  const known = createAssets(assets);
  return [
    objectRoute(assetsEndpoint, () =>
      Promise.resolve({ assets: assets.map(({ id, name }) => ({ id, name })) }),
    ),
    objectRoute(tablesEndpoint, async ({ params }) => {
      const scan = await source.scan(known.byId(params.asset_id));
      const tables = 'problem' in scan ? [] : scan.tables;
      return {
        tables: tables.map(listedTable),
        problem: 'problem' in scan ? scan.problem : null,
      };
    }),
  ];
}

function listedTable(table: ScannedTable) {
  const { path: table_path } = table;
  return 'columns' in table
    ? { table_path, columns: table.columns }
    : { table_path, columns: [], problem: table.problem };
}
