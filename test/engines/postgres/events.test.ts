// What happens to a database that is watched: columns that come and go, and that it is away.
import { Client } from 'pg';
import { describe, expect, test, vi } from 'vitest';

import { FakeClock } from '../../support/fake-clock.ts';
import { isPostgresInstalled, startPostgres } from '../../support/postgres-server.ts';
import { serve } from '../../support/served.ts';
import { receive } from '../../server/receiver.ts';

const minute = 60_000;

describe.runIf(isPostgresInstalled)('a PostgreSQL source', () => {
  test(
    'sends an alert for each change of its schema, and one when it is away',
    { timeout: 60_000 },
    async () => {
      const server = await startPostgres();
      await using receiver = await receive();
      const client = new Client(server.url);
      client.on('error', () => undefined);
      await client.connect();
      await client.query('CREATE TABLE orders (id int, amount int)');
      const clock = new FakeClock();
      await using served = await serve(
        { 'dq.json': JSON.stringify({ destinations: [{ name: 'ops', url: receiver.url }] }) },
        { clock, sources: { warehouse: server.url } },
      );
      const next = async (count: number) => {
        await vi.waitFor(() => expect(receiver.received).toHaveLength(count), 10_000);
        await clock.until([minute, minute]);
        return receiver.received
          .splice(0)
          .map(({ alert: { event } }) => [
            event?.type,
            event?.change_type,
            event?.asset?.qualified_name,
            event?.details?.['column_name'],
          ]);
      };
      expect((await next(2)).map(([type]) => type)).toEqual(['discovery_complete', 'discovery_complete']);

      await client.query('ALTER TABLE orders ADD note text, DROP amount');
      await client.query('ALTER TABLE orders ALTER id TYPE bigint');
      await client.query('CREATE TABLE later (id int)');
      clock.advance(minute);
      expect((await next(4)).map((parts) => parts.slice(1))).toEqual(
        expect.arrayContaining([
          ['column_added', 'warehouse.public.orders', 'note'],
          ['column_removed', 'warehouse.public.orders', 'amount'],
          ['column_type_changed', 'warehouse.public.orders', 'id'],
          ['table_added', 'warehouse.public.later', undefined],
        ]),
      );

      await server.stop();
      clock.advance(minute);
      expect(await next(1)).toEqual([['connection_failed', undefined, 'warehouse', undefined]]);
      // What lasts is not told twice, and takes neither the service nor the tables with it.
      clock.advance(minute);
      await clock.until([minute, minute]);
      expect(receiver.received).toEqual([]);
      const health = await fetch(`${served.service.url}/health`);
      expect(await health.json()).toMatchObject({
        status: 'degraded',
        assets: [
          { name: 'shop', status: 'ok' },
          { name: 'warehouse', status: 'unreadable' },
        ],
      });
    },
  );
});
