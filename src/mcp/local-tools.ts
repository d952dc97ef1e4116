import * as z from 'zod/mini';

import { type DataQualityClient, isApiError } from '../index.ts';
import { asRecord } from '../judgement/field.ts';
import { assetParameter, defineTool, type JsonObject, reads, type Tool, type ToolOptions } from './tool.ts';

/** Makes the tools of what only the local service lists: a model cannot guess an asset or a column. */
export function localTools(client: DataQualityClient, options: ToolOptions): Tool[] {
  return [
    defineTool({
      name: 'assets_list',
      title: 'List assets',
      description:
        'Lists the assets with their ids. Only a service on the machine of the user has such a list.',
      input: z.strictObject({}),
      output: z.looseObject({ assets: z.array(z.looseObject({})), note: z.optional(z.string()) }),
      effect: reads,
      more: '',
      run: async (_input, { signal }) => requestLocal(client, 'assets', signal),
    }),
    defineTool({
      name: 'tables_list',
      title: 'List tables',
      description:
        'Lists the tables of an asset with their columns. Only a service on the machine of the user has such a list.',
      input: z.strictObject({ asset_id: assetParameter(options.asset) }),
      output: z.looseObject({ tables: z.array(z.looseObject({})), note: z.optional(z.string()) }),
      effect: reads,
      more: 'Ask the user which tables matter.',
      run: async ({ asset_id }, { signal }) => {
        const asset = encodeURIComponent(String(asset_id ?? options.asset));
        return requestLocal(client, `assets/${asset}/tables`, signal);
      },
    }),
  ];
}

async function requestLocal(
  client: DataQualityClient,
  path: string,
  signal: AbortSignal,
): Promise<JsonObject> {
  try {
    return asRecord(await client.request({ method: 'GET', path: `/api/v1/local/${path}` }, { signal }));
  } catch (error) {
    if (!isApiError(error) || error.status !== 404 || isApiError(error, 'ASSET_NOT_FOUND')) throw error;
    throw new Error('This service does not list its assets and tables. Ask the user for them.', {
      cause: error,
    });
  }
}
