import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';

import {
  ConnectionError,
  DataQualityClient,
  type ClientOptions,
  isDataQualityError,
} from '../../src/index.ts';

/** A key that nothing may show. */
export const secret = 'dq_live_s3cr3t';

/** The limits of the calls that are attacked, in ms: short, as many cases stall until they are reached. */
const limits = { timeout: 60, totalTimeout: 600 } as const;

/** The limits of calls that should not reach them however busy the machine is, in ms. */
export const patient = { timeout: 20_000, totalTimeout: 20_000 } as const;

/** How much later than its limit a call may end on a machine that is busy with much else, in ms. */
const slack = 5000;

/** A call of the client, as it is attacked. */
export interface Call {
  readonly name: string;
  /** Whether the service could be told twice: such a request is sent once. */
  readonly once: boolean;
  readonly run: (client: DataQualityClient, signal: AbortSignal) => Promise<unknown>;
  /** What a service responds with if all is well. */
  readonly body: unknown;
  /** What the call returns then. */
  readonly value: unknown;
}

const asset = '6f1c2a52-4b1e-4a52-9d6b-2f3a1f0c7e11';
const summary = { total_rules: 3, passing: 2, failing: 1, error: 0 };
const rule = {
  id: 7,
  uuid: 'v_1',
  name: 'whole',
  rule_type: 'NOT_NULL',
  table_path: 'a.b.c',
  column_name: 'id',
  severity: 'warning',
  is_active: true,
};
const uploaded = { sync_stats: { nodes_created: 2, edges_created: 1 } };

/** Calls of each kind: one that may be repeated, one that may not, a list and an upload. */
export const calls: readonly Call[] = [
  {
    name: 'GET',
    once: false,
    run: (client, signal) => client.validity.summary(asset, { signal }),
    body: { data: summary },
    value: summary,
  },
  {
    name: 'POST',
    once: true,
    run: (client, signal) =>
      client.validity.create(
        asset,
        { rule_type: 'NOT_NULL', table_path: 'a.b.c', column_name: 'id' },
        { signal },
      ),
    body: { data: rule },
    value: rule,
  },
  {
    name: 'list',
    once: false,
    run: (client, signal) => client.validity.list(asset, {}, { signal }).toArray(),
    body: { data: { items: [rule] }, pagination: { total: 1, limit: 50, offset: 0, has_more: false } },
    value: [rule],
  },
  {
    name: 'upload',
    once: true,
    run: (client, signal) => client.lineage.upload(asset, { nodes: {}, metadata: {} }, {}, { signal }),
    body: uploaded,
    value: uploaded,
  },
];

/** How a call ended. */
export type Ending = { readonly value: unknown } | { readonly error: unknown };

/** Makes a call of a service, and returns how it ended with the promises that it broke by that. */
export async function hold(
  call: Call,
  baseUrl: string,
  received: readonly string[],
  options: ClientOptions = {},
): Promise<{ readonly ending: Ending; readonly problems: string[] }> {
  const client = new DataQualityClient({
    apiKey: secret,
    baseUrl,
    rateLimit: false,
    maxRetries: 2,
    retryDelay: 1,
    logLevel: 'off',
    ...limits,
    ...options,
  });
  const { signal } = new AbortController();
  const startedAt = performance.now();
  const late = Promise.withResolvers<Ending>();
  const longest = (options.totalTimeout ?? limits.totalTimeout) + slack;
  const timer = setTimeout(() => late.resolve({ error: 'the call did not end' }), longest);
  const ended = call.run(client, signal).then(
    (value): Ending => ({ value }),
    (error: unknown): Ending => ({ error }),
  );
  const ending = await Promise.race([ended, late.promise]);
  clearTimeout(timer);
  const problems: string[] = [];
  const took = performance.now() - startedAt;
  if (took > longest) problems.push(`ended after ${Math.round(took)} ms`);
  if (getEventListeners(signal, 'abort').length > 0)
    problems.push('left a listener on the signal of its caller');
  if (call.once && received.length > 1) problems.push(`sent ${received.length} ${received.join(', ')}`);
  if ('error' in ending) problems.push(...judgeError(ending.error, received.length));
  return { ending, problems };
}

/** What is wrong with an error after a service received so many requests. */
export function judgeError(error: unknown, received: number): string[] {
  if (!isDataQualityError(error)) return [`threw a foreign error: ${inspect(error)}`];
  const problems: string[] = [];
  // A service that sends a reader elsewhere has surely not given it what it asked for.
  const isSentElsewhere =
    error instanceof ConnectionError && error.code === 'REDIRECTED' && error.method === 'GET';
  const isDenied = 'mayHaveBeenProcessed' in error && error.mayHaveBeenProcessed === false;
  if (isDenied && received > 0 && !isSentElsewhere) {
    problems.push(`said that nothing was processed, but ${received} requests arrived: ${error.message}`);
  }
  if (inspect(error, { depth: 8, showHidden: true }).includes(secret))
    problems.push('an error shows the key');
  return problems;
}
