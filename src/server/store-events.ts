import type { ResultRecord, SnapshotRecord, Store } from '../service/store.ts';

/** What changed in a store. */
export type StoreEvent =
  | { readonly type: 'result'; readonly result: ResultRecord }
  | { readonly type: 'snapshots'; readonly snapshots: readonly SnapshotRecord[] }
  | { readonly type: 'definition' }
  | { readonly type: 'lineage' };

/** A store that reports each change after it was made. */
export function withStoreEvents(store: Store, report: (event: StoreEvent) => void): Store {
  const { rules, results, metrics, snapshots, lineage } = store;
  const definition = async <Value>(change: Promise<Value>): Promise<Value> => {
    const value = await change;
    report({ type: 'definition' });
    return value;
  };
  return {
    ...store,
    rules: {
      ...rules,
      insert: async (rule) => definition(rules.insert(rule)),
      update: async (...to) => definition(rules.update(...to)),
      delete: async (...which) => definition(rules.delete(...which)),
    },
    results: {
      ...results,
      async insert(draft) {
        const result = await results.insert(draft);
        report({ type: 'result', result });
        return result;
      },
    },
    metrics: {
      ...metrics,
      insert: async (metric) => definition(metrics.insert(metric)),
      update: async (...to) => definition(metrics.update(...to)),
      delete: async (...which) => definition(metrics.delete(...which)),
    },
    snapshots: {
      ...snapshots,
      async insert(drafts) {
        const inserted = await snapshots.insert(drafts);
        report({ type: 'snapshots', snapshots: inserted });
        return inserted;
      },
      async accept(metricId) {
        const accepted = await snapshots.accept(metricId);
        report({ type: 'snapshots', snapshots: accepted });
        return accepted;
      },
    },
    lineage: {
      ...lineage,
      async add(...graph) {
        const change = await lineage.add(...graph);
        report({ type: 'lineage' });
        return change;
      },
    },
  };
}
