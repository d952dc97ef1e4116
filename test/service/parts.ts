import type { Evaluation } from '../../src/service/evaluation.ts';
import { createService, type ServiceParts } from '../../src/service/service.ts';
import { createMemoryStore } from '../../src/testing/memory-store.ts';

export const assetId = 'a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11';
export const keys = { readOnly: 'key-ro', readWrite: 'key-rw', admin: 'key-admin' };

/** An evaluation that finds nothing wrong; a test replaces what it is about. */
export const calm: Evaluation = {
  validateRule: async () => undefined,
  checkRule: async () => ({ total_rows: 0, invalid_count: 0, samples: [] }),
  captureMetric: async () => [{ value: 0, group_values: null }],
  freshness: async () => [],
  tables: async () => [],
};

/** A service over memory, and the call of it that a test needs. */
export function serve(
  parts: Partial<Omit<ServiceParts, 'evaluation'>> & { evaluation?: Partial<Evaluation> },
) {
  const store = parts.store ?? createMemoryStore();
  const service = createService({
    assets: [{ id: assetId, numericId: 7, name: 'warehouse.shop' }],
    keys,
    store,
    ...parts,
    evaluation: { ...calm, ...parts.evaluation },
  });
  const call = async (method: string, path: string, body?: unknown, key = keys.readWrite) => {
    const response = await service(
      new Request(`https://dq.test${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const json: unknown = await response.json();
    return { status: response.status, headers: response.headers, body: json };
  };
  return { service, store, call };
}

export const rules = `/api/v1/sdk/validity/${assetId}`;
export const metrics = `/api/v1/sdk/metrics/${assetId}`;
export const aRule = { rule_type: 'NOT_NULL', table_path: 'warehouse.shop.orders', column_name: 'id' };
export const aMetric = { metric_type: 'row_count', table_path: 'warehouse.shop.orders' };
