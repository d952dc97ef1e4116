import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from './free-port.ts';
import { hasTool } from './tool.ts';
import { testFolder } from './test-folder.ts';

/** Whether Debian's `clickhouse-server` is installed; it knows no option that ends well. */
export const isClickHouseInstalled = hasTool('clickhouse-server', 'clickhouse-server', 'which');

/** Two servers of a test's own, on loopback: a cluster `two` of two shards. */
export interface ClickHouseCluster {
  /** Ports for HTTP, one per shard. */
  readonly ports: readonly [number, number];
  /** Runs a statement on a shard. */
  run(shard: 0 | 1, sql: string): Promise<string>;
  readonly stop: () => Promise<void>;
}

interface Ports {
  readonly http: number;
  readonly tcp: number;
  readonly interserver: number;
}

function configuration(home: string, { http, tcp, interserver }: Ports, shards: readonly Ports[]): string {
  const replicas = shards.map(
    (shard) => `<shard><replica><host>127.0.0.1</host><port>${shard.tcp}</port></replica></shard>`,
  );
  return `<yandex>
  <logger><level>warning</level><log>${home}/log</log><errorlog>${home}/errors</errorlog></logger>
  <http_port>${http}</http_port><tcp_port>${tcp}</tcp_port>
  <interserver_http_port>${interserver}</interserver_http_port><listen_host>127.0.0.1</listen_host>
  <path>${home}/</path><tmp_path>${home}/tmp/</tmp_path><users_config>users.xml</users_config>
  <default_profile>default</default_profile><default_database>default</default_database>
  <mark_cache_size>536870912</mark_cache_size>
  <remote_servers><two>${replicas.join('')}</two></remote_servers>
</yandex>`;
}

const users = `<yandex>
  <profiles><default></default><bounded><readonly>1</readonly><max_execution_time>60</max_execution_time></bounded></profiles>
  <quotas><default><interval><duration>3600</duration></interval></default></quotas>
  <users>
    <default><password></password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota></default>
    <reader><password>s3cret/pass</password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota></reader>
    <bounded><password></password><networks><ip>::/0</ip></networks><profile>bounded</profile><quota>default</quota></bounded>
  </users>
</yandex>`;

/** Starts both servers and resolves once they take queries. */
export async function startClickHouseCluster(): Promise<ClickHouseCluster> {
  const home = await mkdtemp(join(testFolder, 'dq-clickhouse-'));
  const shards: Ports[] = [];
  for (let at = 0; at < 2; at += 1) {
    shards.push({ http: await freePort(), tcp: await freePort(), interserver: await freePort() });
  }
  const servers: ChildProcess[] = [];
  for (const [at, ports] of shards.entries()) {
    const folder = join(home, String(at));
    await mkdir(join(folder, 'tmp'), { recursive: true });
    await writeFile(join(folder, 'users.xml'), users);
    await writeFile(join(folder, 'config.xml'), configuration(folder, ports, shards));
    const args = [`--config-file=${join(folder, 'config.xml')}`];
    servers.push(spawn('clickhouse-server', args, { stdio: 'ignore', cwd: folder }));
  }
  const run = async (shard: 0 | 1, sql: string): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${shards[shard]?.http}/`, { method: 'POST', body: sql });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  };
  for (const shard of [0, 1] as const) {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await run(shard, 'SELECT 1');
        break;
      } catch (error) {
        if (attempt === 300 || servers.some(({ exitCode }) => exitCode !== null)) throw error;
        await sleep(100);
      }
    }
  }
  return {
    ports: [shards[0]?.http ?? 0, shards[1]?.http ?? 0],
    run,
    stop: async () => {
      for (const server of servers) {
        const ended = new Promise<void>((resolve) => void server.once('exit', () => resolve()));
        server.kill('SIGKILL');
        await ended;
      }
      await rm(home, { recursive: true, force: true });
    },
  };
}
