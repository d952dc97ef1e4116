import type * as PgBossModule from 'pg-boss';
import type { PgBoss } from 'pg-boss';

import { ConfigurationError } from '../../errors/configuration-error.ts';
import type { Clock } from '../clock.ts';
import type { Job, JobHandler, Jobs } from '../jobs.ts';

/** The schema of the tables that pg-boss makes. */
const schema = 'data_quality_jobs';

/** Connections that looking for jobs may take, beside one that listens for them. */
const mostConnections = 3;

/** Seconds without a sign of life after which a job is taken from its process. */
const heartbeat = 15;

/** Seconds that a job may take: a check of several queries, each with its own limit. */
const longestJob = 6 * 3600;

/** How often a job is given to another process because the one before has ended. */
const mostTakeovers = 100;

/** Milliseconds that jobs have to end when the process closes. */
const closingGrace = 5000;

/** What jobs over PostgreSQL are made with. */
export interface BossJobsOptions {
  /** Address of the database with the credentials. */
  readonly url: string;
  /** Removes what is secret from a text. */
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/**
 * The jobs of a service that is several processes, in the queues of pg-boss: a job is claimed by one process, and goes
 * to another one if that process ends.
 */
export class BossJobs implements Jobs {
  readonly #boss: PgBoss;
  readonly #options: BossJobsOptions;
  #closed: Promise<void> | undefined;

  /**
   * Connects, and makes or migrates the tables of pg-boss in the schema `data_quality_jobs`.
   *
   * @throws ConfigurationError if the database cannot be used.
   */
  static async open({ PgBoss }: typeof PgBossModule, options: BossJobsOptions): Promise<BossJobs> {
    const boss = new PgBoss({
      connectionString: options.url,
      schema,
      max: mostConnections,
      application_name: 'data-quality-client',
      schedule: false,
      useListenNotify: true,
      // Soon after the process of a job has ended, another one takes it.
      superviseIntervalSeconds: 5,
      monitorIntervalSeconds: 5,
    });
    boss.on('error', (error) => options.onError(new Error(options.redact(error.message))));
    try {
      await boss.start();
    } catch (error) {
      await boss.stop({ graceful: false }).catch(() => undefined);
      const reason = options.redact(error instanceof Error ? error.message : String(error));
      throw new ConfigurationError(
        `The queues of the state cannot be used: ${reason}. Its role must be able to create the schema ${schema}, or own it.`,
      );
    }
    return new BossJobs(boss, options);
  }

  constructor(boss: PgBoss, options: BossJobsOptions) {
    this.#boss = boss;
    this.#options = options;
  }

  async work(queue: string, { concurrency, handle }: JobHandler): Promise<void> {
    await this.#boss.createQueue(queue, {
      policy: 'exclusive',
      notify: true,
      heartbeatSeconds: heartbeat,
      expireInSeconds: longestJob,
      retryLimit: mostTakeovers,
      deleteAfterSeconds: 600,
    });
    const attempt = async (key: string): Promise<void> => {
      if (this.#closed !== undefined) throw new Error('the process is closing');
      try {
        await handle(key);
      } catch (error) {
        // Another process goes on with what this one broke off; what failed is added again when it is looked for.
        if (this.#closed !== undefined) throw error;
        this.#options.onError(error);
      }
    };
    const options = {
      batchSize: concurrency,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 2,
      perJobResults: true,
    } as const;
    await this.#boss.work<{ key: string }>(queue, options, async (jobs) =>
      Promise.all(
        jobs.map(async ({ id, data: { key } }) => {
          const isDone = await attempt(key).then(
            () => true,
            () => false,
          );
          return { id, status: isDone ? ('completed' as const) : ('failed' as const) };
        }),
      ),
    );
  }

  async add(queue: string, jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0 || this.#closed !== undefined) return;
    const now = this.#options.clock.now();
    await this.#boss.insert(
      queue,
      jobs.map(({ key, dueAt }) => ({
        data: { key },
        singletonKey: key,
        startAfter: Math.max(0, Math.ceil((dueAt - now) / 1000)),
      })),
    );
  }

  async close(): Promise<void> {
    this.#closed ??= this.#boss.stop({ graceful: true, timeout: closingGrace });
    return this.#closed;
  }
}
