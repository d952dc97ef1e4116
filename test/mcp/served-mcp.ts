import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { DataQualityClient } from 'data-quality-client';

import { type HttpOptions, serveOverHttp } from '../../src/mcp/http.ts';
import { createServerFactory, type McpServerOptions } from '../../src/mcp/server.ts';
import { serve } from '../support/served.ts';

/** A result of a tool, as far as tests read it. */
export interface ToolResult {
  readonly isError?: boolean;
  readonly text: string;
  // What a test reads of it, it also expects to be there.
  readonly value: Record<string, unknown>;
}

/** Files of the service, unless a test brings others. */
export const files = {
  'orders.csv': 'id,email,day\n1,ann@example.com,2026-01-01\n2,nobody,2026-01-02\n3,,x\n',
};

export const table = 'shop.main.orders';

interface ServeMcpOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly mcp?: Partial<McpServerOptions>;
  readonly http?: Partial<HttpOptions>;
}

/** The local service over files, and a server of the protocol in front of it on loopback. */
export async function serveMcp({ files: given = files, mcp = {}, http = {} }: ServeMcpOptions = {}) {
  const served = await serve(given);
  const { service, folder, assetId } = served;
  const errors: unknown[] = [];
  const client = new DataQualityClient({ baseUrl: service.url, apiKey: service.keys.readWrite });
  const socket = await serveOverHttp(
    createServerFactory(client, {
      version: '1.2.3',
      readOnly: false,
      asset: assetId,
      samples: 'masked',
      folder: folder.path,
      ...mcp,
    }),
    {
      host: '127.0.0.1',
      port: 0,
      token: undefined,
      allowedHosts: [],
      onError: (error) => errors.push(error),
      ...http,
    },
  );
  const open: Client[] = [];
  return {
    url: socket.url,
    served,
    assetId,
    errors,
    async connect(options: ClientOptions = {}, headers: Readonly<Record<string, string>> = {}) {
      const connected = new Client({ name: 'test', version: '1.0.0' }, options);
      const transport = new StreamableHTTPClientTransport(new URL(socket.url), { requestInit: { headers } });
      await connected.connect(transport);
      open.push(connected);
      return connected;
    },
    [Symbol.asyncDispose]: async () => {
      for (const each of open) await each.close();
      await socket[Symbol.asyncDispose]();
      await served[Symbol.asyncDispose]();
    },
  };
}

/** Calls a tool and returns what a model sees of the result. */
export async function callTool(
  client: Client,
  name: string,
  input: Readonly<Record<string, unknown>> = {},
): Promise<ToolResult> {
  const {
    isError = false,
    content,
    structuredContent,
  } = await client.callTool({ name, arguments: { ...input } });
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return { isError, text, value: (structuredContent ?? {}) as Record<string, unknown> };
}
