import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { DataQualityClient } from 'data-quality-client';
import { expect, test } from 'vitest';

import { serveOverHttp } from '../../src/mcp/http.ts';
import { createServerFactory } from '../../src/mcp/server.ts';

test.each(['legacy', 'auto'] as const)(
  'the request to the service ends if the caller of a tool cancels or leaves, in the %s protocol',
  async (mode) => {
    const sent = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    // A service that never responds.
    const client = new DataQualityClient({
      apiKey: 'key',
      baseUrl: 'https://dq.test',
      fetch: async (input, init) => {
        const signal = input instanceof Request ? input.signal : init?.signal;
        sent.resolve();
        const { promise, reject } = Promise.withResolvers<Response>();
        signal?.addEventListener('abort', () => {
          ended.resolve();
          reject(signal.reason as Error);
        });
        return promise;
      },
    });
    const options = { version: '1', readOnly: true, asset: 'a', samples: 'masked', folder: '.' } as const;
    await using socket = await serveOverHttp(createServerFactory(client, options), {
      host: '127.0.0.1',
      port: 0,
      token: undefined,
      allowedHosts: [],
      onError: () => undefined,
    });
    const mcp = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
    await mcp.connect(new StreamableHTTPClientTransport(new URL(socket.url)));
    const controller = new AbortController();
    const call = mcp.callTool({ name: 'validity_summary', arguments: {} }, { signal: controller.signal });
    await sent.promise;
    controller.abort();
    await expect(call).rejects.toThrow('abort');
    // Over HTTP, a message of the older protocol cannot reach the server of another request: it ends with its connection.
    if (mode === 'legacy') await mcp.close();
    await ended.promise;
    await mcp.close();
  },
);
