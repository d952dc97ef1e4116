import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The service that the battery calls over the network: hand-written responses, and a few faults. */
export interface BatteryServer extends AsyncDisposable {
  readonly url: string;
}

const rules = Array.from({ length: 130 }, (_, index) => ({
  id: index + 1,
  uuid: `v_${index + 1}`,
  table_path: 'shop.main.orders',
  column_name: 'id',
  rule_type: 'NOT_NULL',
  name: `rule ${index + 1}`,
  severity: 'warning',
  is_active: true,
  check_interval: 'daily',
  created_at: '2026-01-01T00:00:00Z',
}));

/** Starts the server on loopback; `page` is served at `/` for browsers. */
export async function startBatteryServer(page = ''): Promise<BatteryServer> {
  let flaky = 0;
  let posts = 0;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
      response.end(JSON.stringify(body));
    };
    request.resume();
    request.on('end', () => {
      const rule = pathname.split('/').at(-1);
      if (pathname === '/') {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end(page);
      } else if (pathname === '/count') send(200, { count: posts });
      else if (pathname.endsWith('/reset')) {
        posts += 1;
        request.socket.destroy();
      } else if (pathname.endsWith('/lineage/upload')) {
        send(200, { data: { sync_stats: { nodes_created: 1, edges_created: 0 } } });
      } else if (rule === 'v_slow') return;
      else if (rule === 'v_flaky' && ++flaky % 2 === 1) {
        send(503, { error: { code: 'INTERNAL_ERROR', message: 'try again', details: {} } });
      } else if (rule === 'v_unknown') {
        const details = { rule_id: 'v_unknown' };
        send(404, { error: { code: 'RULE_NOT_FOUND', message: 'Rule not found', details } });
      } else if (rule?.startsWith('v_')) {
        send(200, { data: { ...rules[0], uuid: rule, rule_config: null, description: null } });
      } else {
        const offset = Number(searchParams.get('offset') ?? 0);
        const limit = Number(searchParams.get('limit') ?? 50);
        const items = rules.slice(offset, offset + limit);
        const pagination = { total: 130, limit, offset, has_more: offset + limit < 130 };
        send(200, { data: { items }, pagination });
      }
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
