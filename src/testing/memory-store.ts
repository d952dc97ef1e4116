import type {
  FreshnessPeriod,
  FreshnessStore,
  LineageGraph,
  LineageStore,
  MetricRecord,
  MetricStore,
  ResultRecord,
  ResultStore,
  RuleRecord,
  RuleStore,
  Slice,
  SnapshotRecord,
  SnapshotStore,
  StatusCounts,
  Store,
} from '../service/store.ts';
import { changes } from '../service/changes.ts';
import { Timeline } from './timeline.ts';

type Rules = Map<string, RuleRecord>;
type Results = Map<number, Timeline<ResultRecord>>;
type Metrics = Map<string, MetricRecord>;
type Snapshots = Map<number, Timeline<SnapshotRecord>>;

/** A store in memory, which can also be asked at once what it has. */
export interface MemoryStore extends Store {
  hasRule(uuid: string): boolean;
  hasMetric(id: string): boolean;
}

/** Creates a store that lasts as long as it is referred to. */
export function createMemoryStore(): MemoryStore {
  const rules: Rules = new Map();
  const results: Results = new Map();
  const metrics: Metrics = new Map();
  const snapshots: Snapshots = new Map();
  return {
    rules: ruleStore(rules, results),
    results: resultStore(rules, results),
    metrics: metricStore(metrics, snapshots),
    snapshots: snapshotStore(metrics, snapshots),
    freshness: freshnessStore(),
    lineage: lineageStore(),
    hasRule: (uuid) => rules.has(uuid),
    hasMetric: (id) => metrics.has(id),
  };
}

function ruleStore(rules: Rules, results: Results): RuleStore {
  const nextId = counter();
  const get = (assetId: string, uuid: string) => ofAsset(assetId, rules.get(uuid));
  return {
    async list(assetId, { rule_type, is_active }, slice) {
      const found = [...rules.values()].filter(
        (rule) =>
          rule.asset_id === assetId &&
          (rule_type === undefined || rule.rule_type === rule_type) &&
          (is_active === undefined || rule.is_active === is_active),
      );
      return page(found, slice);
    },
    get: async (assetId, uuid) => get(assetId, uuid),
    async insert(draft) {
      const rule = { ...draft, id: nextId() };
      rules.set(rule.uuid, rule);
      return rule;
    },
    async update(assetId, uuid, patch) {
      const rule = get(assetId, uuid);
      if (rule === undefined) return undefined;
      const updated = { ...rule, ...changes(patch) };
      rules.set(uuid, updated);
      return updated;
    },
    async delete(assetId, uuid) {
      const rule = get(assetId, uuid);
      if (rule === undefined) return false;
      results.delete(rule.id);
      return rules.delete(uuid);
    },
  };
}

function resultStore(rules: Rules, results: Results): ResultStore {
  const nextId = counter();
  const timeline = (ruleId: number) => results.get(ruleId) ?? new Timeline(({ checked_at }) => checked_at);
  return {
    list: async (ruleId, slice) => timeline(ruleId).list(slice),
    async insert(draft) {
      const result = { ...draft, id: nextId() };
      const rule = timeline(result.validity_rule_id);
      rule.add(result);
      results.set(result.validity_rule_id, rule);
      return result;
    },
    async countLatest(assetId) {
      const ofTheAsset = [...rules.values()].filter((rule) => rule.asset_id === assetId);
      return countStatuses(ofTheAsset.flatMap(({ id }) => results.get(id)?.newest ?? []));
    },
  };
}

function metricStore(metrics: Metrics, snapshots: Snapshots): MetricStore {
  const nextId = counter();
  const get = (assetId: string, id: string) => ofAsset(assetId, metrics.get(id));
  return {
    async list(assetId, { metric_type, is_active }, slice) {
      const found = [...metrics.values()].filter(
        (metric) =>
          metric.asset_id === assetId &&
          (metric_type === undefined || metric.metric_type === metric_type) &&
          (is_active === undefined || metric.is_active === is_active),
      );
      return page(found, slice);
    },
    get: async (assetId, id) => get(assetId, id),
    async insert(draft) {
      const metric = { ...draft, internal_id: nextId() };
      metrics.set(metric.id, metric);
      return metric;
    },
    async update(assetId, id, patch) {
      const metric = get(assetId, id);
      if (metric === undefined) return undefined;
      const updated = { ...metric, ...changes(patch) };
      metrics.set(id, updated);
      return updated;
    },
    async delete(assetId, id) {
      const metric = get(assetId, id);
      if (metric === undefined) return false;
      snapshots.delete(metric.internal_id);
      return metrics.delete(id);
    },
  };
}

function snapshotStore(metrics: Metrics, snapshots: Snapshots): SnapshotStore {
  const nextId = counter();
  const timeline = (metricId: number) =>
    snapshots.get(metricId) ?? new Timeline<SnapshotRecord>(({ captured_at }) => captured_at);
  return {
    list: async (metricId, slice) => timeline(metricId).list(slice),
    async insert(drafts) {
      const inserted = drafts.map((draft) => Object.assign({ id: nextId() }, draft));
      for (const snapshot of inserted) {
        const metric = timeline(snapshot.metric_definition_id);
        metric.add(snapshot);
        snapshots.set(snapshot.metric_definition_id, metric);
      }
      return inserted;
    },
    async history(metricId, most) {
      const teaching = timeline(metricId).all.filter(({ teaches }) => teaches);
      const groups = Map.groupBy(teaching, ({ group_values }) => JSON.stringify(group_values));
      return Array.from(groups.values(), (points) => ({
        group_values: points[0]?.group_values ?? null,
        points: points.slice(-most),
      }));
    },
    async accept(metricId) {
      const metric = timeline(metricId);
      const latest = metric.all.filter(({ captured_at }) => captured_at === metric.newest?.captured_at);
      const byGroup = new Map(latest.map((snapshot) => [JSON.stringify(snapshot.group_values), snapshot]));
      const accepted = Array.from(byGroup.values(), (it) => ({ ...it, teaches: true, accepted: true }));
      for (const snapshot of accepted) metric.replace(({ id }) => id === snapshot.id, snapshot);
      return accepted;
    },
    async count(assetId) {
      const ofTheAsset = [...metrics.values()].filter((metric) => metric.asset_id === assetId);
      return countStatuses(ofTheAsset.flatMap(({ internal_id }) => timeline(internal_id).all));
    },
  };
}

function freshnessStore(): FreshnessStore {
  const periods = new Map<string, readonly FreshnessPeriod[]>();
  return {
    async record(assetId, observation, mostGap) {
      periods.set(assetId, withObservation(periods.get(assetId) ?? [], observation, mostGap));
    },
    list: async (assetId, since) => (periods.get(assetId) ?? []).filter(({ until }) => until > since),
  };
}

function withObservation(
  periods: readonly FreshnessPeriod[],
  { status, at }: { readonly status: string; readonly at: number },
  mostGap: number,
): readonly FreshnessPeriod[] {
  const last = periods.at(-1);
  const isNext = last !== undefined && at - last.until <= mostGap;
  const kept = isNext ? [...periods.slice(0, -1), { ...last, until: Math.max(last.until, at) }] : periods;
  return isNext && last.status === status ? kept : [...kept, { status, from: at, until: at }];
}

function lineageStore(): LineageStore {
  const graphs = new Map<string, LineageGraph>();
  const get = (assetId: string): LineageGraph => graphs.get(assetId) ?? { nodes: [], edges: [] };
  return {
    get: async (assetId) => get(assetId),
    async add(assetId, { nodes, edges }) {
      const before = get(assetId);
      const allNodes = new Map([...before.nodes, ...nodes].map((node) => [node.id, node]));
      const allEdges = new Map(
        [...before.edges, ...edges].map((edge) => [JSON.stringify([edge.from, edge.to]), edge]),
      );
      graphs.set(assetId, { nodes: [...allNodes.values()], edges: [...allEdges.values()] });
      return {
        nodes_created: allNodes.size - before.nodes.length,
        edges_created: allEdges.size - before.edges.length,
        nodes_total: allNodes.size,
        edges_total: allEdges.size,
      };
    },
  };
}

function counter(): () => number {
  let last = 0;
  return () => (last += 1);
}

function ofAsset<Item extends { readonly asset_id: string }>(assetId: string, item: Item | undefined) {
  return item?.asset_id === assetId ? item : undefined;
}

function page<Item>(items: readonly Item[], { limit, offset }: Slice) {
  return { items: items.slice(offset, offset + limit), total: items.length };
}

function countStatuses(items: readonly { readonly status: string }[]): StatusCounts {
  const counts = new Map<string, number>();
  for (const { status } of items) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}
