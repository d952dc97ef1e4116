import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceTemplate,
} from '@modelcontextprotocol/server';

import type { DataQualityClient } from '../index.ts';
import { printableJson } from '../printable.ts';
import { collectReport } from '../report/collect.ts';
import { renderReport } from '../report/render.ts';
import { readHealth } from './health.ts';
import { renderReportText } from './report-text.ts';
import { describeToolError } from './tool-error.ts';

/** What can be read of an asset without a tool. */
interface AssetResource {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly read: (client: DataQualityClient, assetId: string, signal: AbortSignal) => Promise<string>;
}

const assetResources: readonly AssetResource[] = [
  {
    name: 'health',
    title: 'Health of an asset',
    description: 'Counts of its rules and metrics by outcome, and its freshness. Cheap to read.',
    mimeType: 'application/json',
    read: async (client, assetId, signal) =>
      printableJson(JSON.stringify(await readHealth(client, assetId, signal), null, 2)),
  },
  {
    name: 'report',
    title: 'Report of an asset',
    description: 'Its freshness, and every rule and metric with what was found last, as Markdown.',
    mimeType: 'text/markdown',
    read: async (client, assetId, signal) =>
      renderReportText(await collectReport(client, [assetId], { results: 1, snapshots: 30, signal })),
  },
  {
    name: 'report.html',
    title: 'Report of an asset, as a page',
    description: 'The same with history and charts, as one HTML page for people. Large.',
    mimeType: 'text/html',
    read: async (client, assetId, signal) => renderReport(await collectReport(client, [assetId], { signal })),
  },
];

/** Adds the resources of assets; those of the asset that is known are listed. */
export function addResources(server: McpServer, client: DataQualityClient, asset: string | undefined): void {
  for (const { name, title, description, mimeType, read } of assetResources) {
    const uriOf = (assetId: string): string =>
      `data-quality://assets/${assetId === '{asset_id}' ? assetId : encodeURIComponent(assetId)}/${name}`;
    const listed = asset === undefined ? [] : [{ uri: uriOf(asset), name, title, description, mimeType }];
    const template = new ResourceTemplate(uriOf('{asset_id}'), {
      list: () => ({ resources: listed }),
      complete: { asset_id: () => (asset === undefined ? [] : [asset]) },
    });
    server.registerResource(
      name,
      template,
      { title, description, mimeType },
      async (uri, { asset_id: assetId }, { mcpReq }): Promise<ReadResourceResult> => {
        try {
          const text = await read(client, decodeURIComponent(String(assetId)), mcpReq.signal);
          return { contents: [{ uri: uri.href, mimeType, text }] };
        } catch (error) {
          // A resource has no results that say what failed, as tools have.
          throw new ProtocolError(ProtocolErrorCode.InternalError, describeToolError(error));
        }
      },
    );
  }
}
