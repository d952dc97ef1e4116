import { setTimeout as wait } from 'node:timers/promises';

import { Client } from 'pg';

import { receive } from '../server/receiver.ts';
import { isPostgresInstalled, startPostgres } from '../support/postgres-server.ts';
import { kill, type Running, startShared } from '../support/process.ts';
import type { Instrument, Played } from './instrument.ts';
import type { Random } from './random.ts';

const processes = 3;

/** Callers at the same time. */
const callers = 8;

/** Rules that nobody checks but the schedule. */
const scheduledRules = 10;

/** Where the state is kept, and what the services look at. */
const prepared = [
  'CREATE DATABASE state',
  'CREATE SCHEMA shop',
  'CREATE TABLE shop.orders (id int)',
  'INSERT INTO shop.orders VALUES (1), (NULL)',
];

/** An hour of the services is twelve seconds: a minute, after which they look again, a fifth of one. */
const speed = 300;
const hour = 3_600_000;

/** Milliseconds that alerts have to arrive after the last case: a job of a killed process waits for its heartbeat. */
const longestSettling = 90_000;

/**
 * SIGKILL of one of three services on one state while eight callers create, change, check, capture and delete through
 * any of them: nothing that was confirmed is lost, no interval runs twice, and every alert arrives, each made once.
 */
export const cluster: Instrument = {
  // One cluster; it is looked at after each kill.
  concurrency: 1,
  start: async () => {
    if (!isPostgresInstalled) return 'PostgreSQL is not installed';
    const server = await startPostgres();
    const receiver = await receive();
    const database = new Client(server.url);
    await database.connect();
    for (const statement of prepared) await database.query(statement);
    const options = {
      state: server.url.replace(/\/postgres$/, '/state'),
      sources: { warehouse: server.url },
      destinations: [{ name: 'ops', url: receiver.url }],
      from: Date.now(),
      speed,
    };
    const running = await Promise.all(Array.from({ length: processes }, async () => startShared(options)));
    const load = new Load(running);
    await load.prepare();
    let kills = 0;
    return {
      async play(index, random): Promise<Played> {
        const ending = new AbortController();
        const working = Array.from({ length: callers }, async (_, at) =>
          load.work(`${index}-${at}`, random, ending.signal),
        );
        await wait(500 + random.below(2000));
        // A new table is an event that one of the services reports.
        await database.query(`CREATE TABLE shop.made_${index} (id int)`);
        load.tables.add(`warehouse.shop.made_${index}`);
        const victim = random.below(processes);
        await kill(load.running[victim] as Running);
        kills += 1;
        load.running[victim] = await startShared(options);
        await wait(500 + random.below(1000));
        ending.abort();
        await Promise.all(working);
        return { kind: 'SIGKILL of one of three', problems: await load.verify(random) };
      },
      async end() {
        const settled = await settle(() => load.unsettled(receiver.received));
        const problems = [
          ...settled,
          ...load.doubledAlerts(receiver.received, kills),
          ...(await load.doubledRuns()),
          ...load.twice(),
        ];
        for (const service of load.running) await kill(service);
        await database.end();
        await server.stop();
        await receiver[Symbol.asyncDispose]();
        return [{ kind: 'every alert arrives, no interval runs twice', problems }];
      },
      facts: () => ({
        ...load.facts(),
        'processes killed': kills,
        'alerts received': receiver.received.length,
      }),
    };
  },
};

type Received = Awaited<ReturnType<typeof receive>>['received'];

interface Confirmed {
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Calls of several services, and what they have confirmed. */
class Load {
  readonly running: Running[];
  /** Names of tables that were made. */
  readonly tables = new Set<string>();
  #calls = 0;
  #unanswered = 0;
  #runs = 0;
  #metric = '';
  readonly #scheduled: string[] = [];
  /** By uuid: the id, what a change has confirmed, ids of results, and whether it fails. */
  readonly #rules = new Map<string, { id: unknown; severity: string; results: unknown[]; fails: boolean }>();
  /** Rules of which a change or the deletion was asked for, and perhaps not confirmed. */
  readonly #uncertain = new Set<string>();
  readonly #deleted = new Set<string>();
  readonly #snapshots: unknown[] = [];

  constructor(running: readonly Running[]) {
    this.running = [...running];
  }

  async prepare(): Promise<void> {
    const metric = await this.#call(0, 'POST', this.#path('metrics'), {
      metric_type: 'row_count',
      table_path: 'warehouse.shop.orders',
      capture_interval: 'weekly',
    });
    this.#metric = String(metric.data['id']);
    for (let at = 0; at < scheduledRules; at += 1) {
      const { data } = await this.#call(at % processes, 'POST', this.#path('validity'), {
        ...ruleThat(true),
        name: `scheduled ${at}`,
        check_interval: 'hourly',
      });
      this.#scheduled.push(String(data['uuid']));
    }
  }

  /** Calls until the signal is aborted; a call that a killed service did not answer is not repeated. */
  async work(turn: string, random: Random, signal: AbortSignal): Promise<void> {
    for (let count = 0; !signal.aborted; count += 1) {
      try {
        await this.#story(`${turn}-${count}`, random);
      } catch {
        // The service was killed: a caller goes on with another one.
        this.#unanswered += 1;
        await wait(20);
      }
    }
  }

  async #story(name: string, random: Random): Promise<void> {
    const any = () => random.below(processes);
    const rules = this.#path('validity');
    const fails = random.oneIn(4);
    const { data: rule } = await this.#call(any(), 'POST', rules, {
      ...ruleThat(fails),
      name,
      check_interval: 'weekly',
    });
    const uuid = String(rule['uuid']);
    const known = { id: rule['id'], severity: 'warning', results: [] as unknown[], fails: false };
    this.#rules.set(uuid, known);
    const { data: result } = await this.#call(any(), 'POST', `${rules}/${uuid}/check`, {});
    known.results.push(result['id']);
    known.fails = fails;
    await this.#call(any(), 'GET', `${rules}/${uuid}`);
    if (random.oneIn(3)) {
      this.#uncertain.add(uuid);
      await this.#call(any(), 'PATCH', `${rules}/${uuid}`, { severity: 'critical' });
      known.severity = 'critical';
      this.#uncertain.delete(uuid);
    }
    if (random.oneIn(5)) {
      const { data } = await this.#call(any(), 'POST', `${this.#path('metrics')}/${this.#metric}/capture`);
      this.#snapshots.push(...(data['snapshots'] as readonly { id: unknown }[]).map(({ id }) => id));
    }
    if (!fails && random.oneIn(4)) {
      this.#uncertain.add(uuid);
      await this.#call(any(), 'DELETE', `${rules}/${uuid}`);
      this.#deleted.add(uuid);
    }
  }

  /** Looks through one service at what others have confirmed: at some rules, and at the newest snapshots. */
  async verify(random: Random): Promise<string[]> {
    const problems: string[] = [];
    const uuids = [...this.#rules.keys()];
    const chosen = Array.from({ length: Math.min(20, uuids.length) }, () => random.pick(uuids));
    for (const uuid of new Set([...uuids.slice(-20), ...chosen]))
      problems.push(...(await this.#verifyRule(uuid)));
    const path = `${this.#path('metrics')}/${this.#metric}/snapshots?limit=1000`;
    const { data } = await this.#call(0, 'GET', path);
    return [...problems, ...missing('snapshots', idsOf(data), this.#snapshots.slice(-900))];
  }

  async #verifyRule(uuid: string): Promise<string[]> {
    const known = this.#rules.get(uuid);
    const path = `${this.#path('validity')}/${uuid}`;
    const { status, data } = await this.#call(0, 'GET', path);
    const isUncertain = this.#uncertain.has(uuid);
    const allowed = this.#deleted.has(uuid) ? [404] : isUncertain ? [200, 404] : [200];
    if (!allowed.includes(status)) return [`rule ${uuid}: ${status}, not ${allowed.join(' or ')}`];
    if (status !== 200 || known === undefined) return [];
    const results = await this.#call(1, 'GET', `${path}/results`);
    return [
      ...(data['id'] === known.id ? [] : [`rule ${uuid} has another id`]),
      ...(isUncertain || data['severity'] === known.severity ? [] : [`rule ${uuid}: a change is lost`]),
      ...missing(`results of ${uuid}`, idsOf(results.data), known.results),
    ];
  }

  /** What has not arrived yet: an alert for each rule whose failure was confirmed, and for each new table. */
  unsettled(received: Received): readonly string[] {
    const failed = new Set(received.map(({ alert }) => alert.event?.details?.['rule_id']));
    const added = new Set(received.map(({ alert }) => alert.event?.asset?.qualified_name));
    const expected = [...this.#rules].filter(([, { fails }]) => fails);
    return [
      ...expected.filter(([uuid]) => !failed.has(uuid)).map(([uuid]) => `no alert of rule ${uuid} arrived`),
      ...[...this.tables]
        .filter((table) => !added.has(table))
        .map((table) => `no alert of table ${table} arrived`),
      ...this.#scheduled
        .filter((uuid) => !failed.has(uuid))
        .map((uuid) => `no alert of scheduled rule ${uuid}`),
    ];
  }

  /** Two alerts about one thing, and alerts that were sent again more often than processes were killed. */
  doubledAlerts(received: Received, kills: number): readonly string[] {
    const idsBySubject = Map.groupBy(
      received.filter(
        ({ alert }) => alert.event?.change_type === 'table_added' || alert.event?.type === 'validity_failure',
      ),
      ({ alert }) => alert.event?.details?.['rule_id'] ?? alert.event?.asset?.qualified_name,
    );
    const doubled = [...idsBySubject].filter(
      ([, alerts]) => new Set(alerts.map(({ alert }) => alert.alert?.id)).size > 1,
    );
    const again = received.length - new Set(received.map(({ alert }) => alert.alert?.id)).size;
    return [
      ...doubled.map(([subject]) => `two alerts about ${JSON.stringify(subject)}`),
      // One attempt for each of the deliveries that a process makes at once.
      ...(again > kills * 4 ? [`${again} alerts were sent again after ${kills} kills`] : []),
    ];
  }

  /** Runs of the schedule that are less than half an hour of the services apart. */
  async doubledRuns(): Promise<readonly string[]> {
    const problems: string[] = [];
    for (const uuid of this.#scheduled) {
      const { data } = await this.#call(0, 'GET', `${this.#path('validity')}/${uuid}/results?limit=1000`);
      const times = (data['items'] as readonly { checked_at: string }[]).map((item) =>
        Date.parse(item.checked_at),
      );
      this.#runs += times.length;
      const isDoubled = times.some((time, at) => at > 0 && (times[at - 1] ?? 0) - time < hour / 2);
      if (isDoubled) problems.push(`scheduled rule ${uuid} ran twice in an interval`);
    }
    return problems;
  }

  twice(): readonly string[] {
    const lists = {
      rules: Array.from(this.#rules.values(), ({ id }) => id),
      results: [...this.#rules.values()].flatMap(({ results }) => results),
      snapshots: this.#snapshots,
    };
    return Object.entries(lists)
      .filter(([, list]) => new Set(list).size < list.length)
      .map(([name]) => `two ${name} have one id`);
  }

  facts(): Readonly<Record<string, number>> {
    return {
      'calls confirmed': this.#calls,
      'stories broken off by a kill': this.#unanswered,
      'rules confirmed': this.#rules.size,
      'interval runs': this.#runs,
      'snapshots confirmed': this.#snapshots.length,
    };
  }

  #path(resource: 'validity' | 'metrics'): string {
    return `/api/v1/sdk/${resource}/${this.running[0]?.assetId}`;
  }

  async #call(at: number, method: string, path: string, body?: unknown): Promise<Confirmed> {
    const response = await fetch(`${this.running[at]?.url}${path}`, {
      method,
      headers: { Authorization: 'Bearer writer', 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(30_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { data = {} } = (await response.json()) as { data?: Confirmed['data'] };
    if (response.status === 429) {
      await wait(1000 * Number(response.headers.get('Retry-After')));
      return this.#call(at, method, path, body);
    }
    if (response.status >= 500) throw new Error(`${method} ${path} → ${response.status}`);
    this.#calls += 1;
    return { status: response.status, data };
  }
}

function ruleThat(fails: boolean): object {
  const expression = fails ? 'id IS NOT NULL' : 'TRUE';
  return {
    rule_type: 'CUSTOM_SQL',
    table_path: 'warehouse.shop.orders',
    rule_config: { sql_expression: expression },
  };
}

function idsOf(data: Confirmed['data']): readonly unknown[] {
  return (data['items'] as readonly { readonly id: unknown }[]).map(({ id }) => id);
}

function missing(what: string, found: readonly unknown[], promised: readonly unknown[]): readonly string[] {
  const known = new Set(found);
  const lost = promised.filter((id) => !known.has(id));
  return [
    ...(lost.length > 0 ? [`${what}: ${lost.length} are lost`] : []),
    ...(known.size < found.length ? [`${what}: some are there twice`] : []),
  ];
}

/** Waits until nothing is missing, and returns what still is. */
async function settle(unsettled: () => readonly string[]): Promise<readonly string[]> {
  const until = Date.now() + longestSettling;
  while (unsettled().length > 0 && Date.now() < until) await wait(100);
  return unsettled();
}
