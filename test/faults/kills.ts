import { setTimeout as wait } from 'node:timers/promises';

import { kill, type Running, start } from '../support/process.ts';
import { dataFolder } from '../support/served.ts';
import type { Instrument, Played } from './instrument.ts';
import type { Random } from './random.ts';

/** SIGKILL while a service creates, checks, captures, deletes and takes uploads: nothing that it said is lost. */
export const kills: Instrument = {
  // One service; what it holds is looked at after each kill.
  concurrency: 1,
  start: async () => {
    const folder = await dataFolder({ 'a.csv': 'a\n1\n' });
    const promised = new Promised();
    let running = await start(folder.path);
    const metric = await call(running, 'POST', `/api/v1/sdk/metrics/${running.assetId}`, {
      metric_type: 'row_count',
      table_path: 'shop.main.a',
    });
    promised.metric = String(metric.data['id']);
    return {
      async play(index, random): Promise<Played> {
        const working = Array.from({ length: 4 }, async (_, at) => work(running, promised, `${index}-${at}`));
        // At first it starts the processes of its queries; later it writes more at a time.
        await wait(20 + random.below(random.oneIn(3) ? 400 : 3000));
        await kill(running);
        await Promise.all(working);
        running = await start(folder.path);
        return { kind: 'SIGKILL while it writes', problems: await verify(running, promised, random) };
      },
      async end() {
        await kill(running);
        await folder[Symbol.asyncDispose]();
        return [{ kind: 'ids are never given twice', problems: promised.twice() }];
      },
      facts: () => promised.counts(),
    };
  },
};

/** What a service has confirmed so far, and must remember for ever. */
class Promised {
  metric = '';
  /** Numbers of rules by their uuid. */
  readonly rules = new Map<string, unknown>();
  /** Rules whose deletion was asked for, and those of them whose deletion was confirmed. */
  readonly deleting = new Set<string>();
  readonly deleted = new Set<string>();
  /** Ids of results, by rule. */
  readonly results = new Map<string, unknown[]>();
  /** Ids of snapshots. */
  readonly snapshots: unknown[] = [];
  /** Names of models in uploads. */
  readonly uploads: string[] = [];

  twice(): string[] {
    const lists = {
      rules: [...this.rules.values()],
      snapshots: this.snapshots,
      results: [...this.results.values()].flat(),
    };
    return Object.entries(lists)
      .filter(([, list]) => new Set(list).size < list.length)
      .map(([name]) => `two ${name} have one id`);
  }

  /** How much was confirmed. */
  counts(): Readonly<Record<string, number>> {
    return {
      'rules confirmed': this.rules.size,
      'deletions confirmed': this.deleted.size,
      'checks confirmed': this.results.size,
      'snapshots confirmed': this.snapshots.length,
      'uploads confirmed': this.uploads.length,
    };
  }
}

interface Confirmed {
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;
}

async function call({ url }: Running, method: string, path: string, body?: unknown): Promise<Confirmed> {
  const isForm = body instanceof FormData;
  const response = await fetch(url + path, {
    method,
    headers: {
      Authorization: `Bearer ${isForm ? 'admin' : 'writer'}`,
      ...(isForm ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
  const json = (await response.json()) as Readonly<Record<string, unknown>>;
  if (response.status !== 429) {
    // An upload is confirmed without an envelope.
    return { status: response.status, data: (json['data'] ?? json) as Confirmed['data'] };
  }
  await wait(1000);
  return call({ url } as Running, method, path, body);
}

/** Writes until the service is gone. */
async function work(running: Running, promised: Promised, turn: string): Promise<void> {
  const base = `/api/v1/sdk/validity/${running.assetId}`;
  try {
    for (let count = 0; count < 500; count += 1) {
      const { data: rule } = await call(running, 'POST', base, {
        rule_type: 'NOT_NULL',
        table_path: 'shop.main.a',
        column_name: 'a',
        name: `${turn}-${count}`,
        description: 'x'.repeat(20_000),
      });
      const uuid = String(rule['uuid']);
      promised.rules.set(uuid, rule['id']);
      const { data: result } = await call(running, 'POST', `${base}/${uuid}/check`, {});
      promised.results.set(uuid, [result['id']]);
      if (count % 3 === 0) {
        promised.deleting.add(uuid);
        await call(running, 'DELETE', `${base}/${uuid}`);
        promised.deleted.add(uuid);
      }
      const metric = `/api/v1/sdk/metrics/${running.assetId}/${promised.metric}`;
      const { data: captured } = await call(running, 'POST', `${metric}/capture`);
      promised.snapshots.push(...(captured['snapshots'] as readonly { id: unknown }[]).map(({ id }) => id));
      const model = `${turn}-${count}`;
      const { status } = await call(running, 'POST', upload(running), manifest([model]));
      if (status === 200) promised.uploads.push(model);
    }
  } catch {
    // The service was killed.
  }
}

const upload = ({ assetId }: Running) => `/api/v1/assets/${assetId}/lineage/upload`;

function manifest(models: readonly string[]): FormData {
  const nodes = models.map((name) => [
    `model.a.${name}`,
    { resource_type: 'model', name, depends_on: { nodes: [] } },
  ]);
  const text = JSON.stringify({
    metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' },
    nodes: Object.fromEntries(nodes) as object,
    sources: {},
  });
  const form = new FormData();
  form.set('file', new Blob([text]), 'manifest.json');
  return form;
}

/** Rules that are looked at after a kill: the newest, and some of the others. */
const mostRules = 30;

async function verify(running: Running, promised: Promised, random: Random): Promise<string[]> {
  const problems: string[] = [];
  const base = `/api/v1/sdk/validity/${running.assetId}`;
  const uuids = [...promised.rules.keys()];
  const others = Array.from({ length: Math.min(uuids.length, mostRules / 2) }, () => random.pick(uuids));
  for (const uuid of new Set([...uuids.slice(-mostRules / 2), ...others])) {
    const { status, data } = await call(running, 'GET', `${base}/${uuid}`);
    // A deletion that was asked for and not confirmed may have happened.
    const allowed = promised.deleted.has(uuid) ? [404] : promised.deleting.has(uuid) ? [200, 404] : [200];
    if (!allowed.includes(status)) problems.push(`rule ${uuid}: ${status}, not ${allowed.join(' or ')}`);
    if (status !== 200) continue;
    if (data['id'] !== promised.rules.get(uuid)) problems.push(`rule ${uuid} has another id`);
    problems.push(
      ...missing(
        `results of ${uuid}`,
        await ids(running, `${base}/${uuid}/results`),
        promised.results.get(uuid) ?? [],
      ),
    );
  }
  const snapshots = `/api/v1/sdk/metrics/${running.assetId}/${promised.metric}/snapshots?limit=1000`;
  problems.push(...missing('snapshots', await ids(running, snapshots), promised.snapshots.slice(-900)));
  // Models that are known are created by no later upload.
  const known = promised.uploads.slice(-50);
  if (known.length > 0) {
    const { data } = await call(running, 'POST', upload(running), manifest(known));
    const stats = data['sync_stats'] as { readonly nodes_created?: unknown } | undefined;
    if (stats?.nodes_created !== 0) problems.push(`uploads are lost: ${JSON.stringify(data)}`);
  }
  return problems;
}

async function ids(running: Running, path: string): Promise<unknown[]> {
  const { data } = await call(running, 'GET', path);
  return (data['items'] as readonly { readonly id: unknown }[]).map(({ id }) => id);
}

function missing(what: string, found: readonly unknown[], promised: readonly unknown[]): string[] {
  const known = new Set(found);
  const lost = promised.filter((id) => !known.has(id));
  return [
    ...(lost.length > 0 ? [`${what}: ${lost.length} are lost`] : []),
    ...(known.size < found.length ? [`${what}: some are there twice`] : []),
  ];
}
