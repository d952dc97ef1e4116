// The example deployment, as far as it can be run without Docker: its roles on a real PostgreSQL, and what it starts.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { startLocalService } from 'data-quality-client/local';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { isPostgresInstalled, startPostgres } from '../support/postgres-server.ts';
import { hasTool } from '../support/tool.ts';

const execute = promisify(execFile);
const folder = fileURLToPath(new URL('../../examples/deploy', import.meta.url));

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      { readonly command?: readonly string[]; readonly environment?: Readonly<Record<string, string>> }
    >
  >;
}

test('each service of the compose file is given the variables that its addresses refer to', async () => {
  const { services } = parse(await readFile(join(folder, 'compose.yaml'), 'utf8'), {
    merge: true,
  }) as Compose;
  for (const name of ['one', 'two']) {
    const { command = [], environment = {} } = services[name] ?? {};
    const referred = command.join(' ').matchAll(/\$\$\{(\w+)\}/g);
    expect(new Set(Object.keys(environment))).toEqual(new Set(Array.from(referred, ([, it]) => it)));
    expect(command).toContain('--state');
  }
});

describe.runIf(isPostgresInstalled && hasTool('psql', '--version'))('the roles of the deployment', () => {
  test('let services run: one reads the data, the other owns the state', { timeout: 60_000 }, async () => {
    await using server = await startPostgres();
    const env = {
      ...process.env,
      PGHOST: '127.0.0.1',
      PGPORT: String(server.port),
      POSTGRES_USER: 'owner',
      POSTGRES_DB: 'postgres',
      READER_PASSWORD: "a'b",
      STATE_PASSWORD: 'c',
    };
    await execute(
      'psql',
      ['--username', 'owner', '--dbname', 'postgres', '--command', 'CREATE TABLE orders (id int)'],
      { env },
    );
    await execute('sh', [join(folder, 'roles.sh')], { env });
    const service = await startLocalService({
      sources: { shop: `postgres://reader@127.0.0.1:${server.port}/postgres` },
      state: `postgres://dq@127.0.0.1:${server.port}/dq`,
    });
    expect(await service.tables()).toEqual(['shop.public.orders']);
    const health = await fetch(`${service.url}/health`);
    expect(await health.json()).toMatchObject({ status: 'ok' });
    await service.close();
    // The state is nobody else's.
    await expect(
      execute('psql', ['--username', 'reader', '--dbname', 'dq', '--command', 'SELECT 1'], { env }),
    ).rejects.toThrow('permission denied for database "dq"');
  });
});
