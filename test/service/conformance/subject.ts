import { type Endpoint, endpoints } from 'data-quality-client/schemas';
import { expect } from 'vitest';

/** A service under test, with data the expectations of the suite are written for. */
export interface ConformanceHarness {
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly keys: { readonly readOnly: string; readonly readWrite: string; readonly admin: string };
  /** UUID of an asset with a freshness threshold of `24h` on a `timestamp_column`, its newest data minutes old. */
  readonly assetId: string;
  /** Its qualified name. */
  readonly assetName: string;
  /** UUID of an asset without a freshness configuration. */
  readonly unconfiguredAssetId: string;
  /** A table of ten rows; its text column `email` is null in the 0-based rows 3 and 7, and never twice the same. */
  readonly tablePath: string;
  /** Makes a NOT_NULL rule on `email` find what is in that table, where nothing is computed. */
  readonly prepareRule?: (ruleId: string) => void;
  /** Makes a row_count of that table find 10, where nothing is computed. */
  readonly prepareMetric?: (metricId: string) => void;
  readonly close?: () => Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export const uuidText = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
export const aTimestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as unknown;
export const aNumber = expect.any(Number) as unknown;
export const noRule = 'v_00000000-0000-4000-8000-000000000000';
export const noMetric = 'm_00000000-0000-4000-8000-000000000000';

/** The value at the end of a path into JSON, `undefined` where the path ends early. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

/** The value as a list, which it must be. */
export function list(value: unknown): readonly unknown[] {
  expect(value).toBeInstanceOf(Array);
  return value as readonly unknown[];
}

/** The ids of a list's items. */
export function idsOf(items: unknown, name = 'id'): readonly unknown[] {
  return list(items).map((item) => at(item, name));
}

/** Calls a service as a client with no library would. */
export class Subject {
  readonly harness: ConformanceHarness;
  /** Every request that succeeded. */
  readonly #served: {
    readonly method: string;
    readonly pathname: string;
    readonly query: URLSearchParams;
  }[] = [];

  constructor(harness: ConformanceHarness) {
    this.harness = harness;
  }

  async send(path: string, init: RequestInit, key: string | undefined): Promise<Response> {
    const headers = new Headers(init.headers);
    if (key !== undefined) headers.set('Authorization', `Bearer ${key}`);
    const response = await this.harness.fetch(`${this.harness.baseUrl}${path}`, { ...init, headers });
    const { pathname, searchParams } = new URL(path, 'https://any.test');
    if (response.ok) this.#served.push({ method: init.method ?? 'GET', pathname, query: searchParams });
    if (response.status !== 429) return response;
    // A service that limits its keys may find the suite too quick.
    await response.body?.cancel();
    const { promise, resolve } = Promise.withResolvers<void>();
    setTimeout(resolve, Number(response.headers.get('Retry-After')) * 1000);
    await promise;
    return this.send(path, init, key);
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    key = this.harness.keys.readWrite,
  ): Promise<Answer> {
    const json = { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
    const response = await this.send(path, body === undefined ? { method } : { method, ...json }, key);
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** Whether a request of this endpoint has succeeded. */
  hasServed({ method, path, selectedBy = [] }: Endpoint): boolean {
    const pattern = RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    // Of two endpoints with the same path, the query selects one.
    const selectors = Object.values(endpoints)
      .flatMap((room): readonly Endpoint[] => Object.values(room))
      .flatMap((other) => (other.method === method && other.path === path ? (other.selectedBy ?? []) : []));
    return this.#served.some(
      ({ query, ...served }) =>
        served.method === method &&
        pattern.test(served.pathname) &&
        selectors.some((name) => query.has(name)) === selectedBy.length > 0,
    );
  }

  rules(): string {
    return `/api/v1/sdk/validity/${this.harness.assetId}`;
  }

  metrics(): string {
    return `/api/v1/sdk/metrics/${this.harness.assetId}`;
  }

  emailRule() {
    return { rule_type: 'NOT_NULL', table_path: this.harness.tablePath, column_name: 'email' };
  }

  rowCount() {
    return { metric_type: 'row_count', table_path: this.harness.tablePath };
  }

  async createRule(body: Record<string, unknown> = {}) {
    const created = await this.call('POST', this.rules(), { ...this.emailRule(), ...body });
    if (created.status !== 200) throw new Error(`not created: ${JSON.stringify(created.body)}`);
    const uuid = String(at(created.body, 'data', 'uuid'));
    this.harness.prepareRule?.(uuid);
    return { uuid, id: at(created.body, 'data', 'id'), path: `${this.rules()}/${uuid}` };
  }

  async createMetric(body: Record<string, unknown> = {}) {
    const created = await this.call('POST', this.metrics(), { ...this.rowCount(), ...body });
    if (created.status !== 200) throw new Error(`not created: ${JSON.stringify(created.body)}`);
    const id = String(at(created.body, 'data', 'id'));
    this.harness.prepareMetric?.(id);
    return { id, internalId: at(created.body, 'data', 'internal_id'), path: `${this.metrics()}/${id}` };
  }

  /** Deletes every rule and metric. */
  async clear(): Promise<void> {
    for (const [path, idName] of [
      [this.rules(), 'uuid'],
      [this.metrics(), 'id'],
    ] as const) {
      const { body } = await this.call('GET', `${path}?limit=100`);
      for (const id of idsOf(at(body, 'data', 'items'), idName)) {
        await this.call('DELETE', `${path}/${String(id)}`);
      }
    }
  }
}
