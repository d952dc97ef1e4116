import type { LineageStore, Store } from '../service/store.ts';
import { freshnessStore } from './freshness-store.ts';
import { metricStore, snapshotStore } from './metric-store.ts';
import type { OutcomeOptions } from './outcome.ts';
import { resultStore, ruleStore } from './rule-store.ts';
import type { State } from './state.ts';

/** Creates a store in which every change that was confirmed survives the process. */
export function createDurableStore(state: State, outcomes: OutcomeOptions = {}): Store {
  return {
    rules: ruleStore(state),
    results: resultStore(state, outcomes),
    metrics: metricStore(state),
    snapshots: snapshotStore(state, outcomes),
    freshness: freshnessStore(state),
    lineage: lineageStore(state),
  };
}

function lineageStore(state: State): LineageStore {
  return {
    add: async (assetId, { nodes, edges }) =>
      state.transaction(async (run) => {
        const knownNodes = await run('SELECT id FROM lineage_nodes WHERE asset_id = $1', assetId);
        const knownEdges = await run('SELECT from_id, to_id FROM lineage_edges WHERE asset_id = $1', assetId);
        const nodeIds = new Set(knownNodes.map(([id]) => id));
        const edgeIds = new Set(knownEdges.map((edge) => JSON.stringify(edge)));
        const newNodes = new Map(nodes.filter(({ id }) => !nodeIds.has(id)).map((node) => [node.id, node]));
        const newEdges = new Map(
          edges
            .map(({ from, to }) => [JSON.stringify([from, to]), { from, to }] as const)
            .filter(([key]) => !edgeIds.has(key)),
        );
        const addedNodes = [...newNodes.values()];
        const addedEdges = [...newEdges.values()];
        await run(
          'INSERT INTO lineage_nodes SELECT $1::VARCHAR, unnest($2::VARCHAR[]), unnest($3::VARCHAR[])',
          assetId,
          addedNodes.map(({ id }) => id),
          addedNodes.map((node) => JSON.stringify(node)),
        );
        await run(
          'INSERT INTO lineage_edges SELECT $1::VARCHAR, unnest($2::VARCHAR[]), unnest($3::VARCHAR[])',
          assetId,
          addedEdges.map(({ from }) => from),
          addedEdges.map(({ to }) => to),
        );
        return {
          nodes_created: newNodes.size,
          edges_created: newEdges.size,
          nodes_total: nodeIds.size + newNodes.size,
          edges_total: edgeIds.size + newEdges.size,
        };
      }),
    async get(assetId) {
      const nodes = await state.run('SELECT record FROM lineage_nodes WHERE asset_id = $1', assetId);
      const edges = await state.run('SELECT from_id, to_id FROM lineage_edges WHERE asset_id = $1', assetId);
      return {
        nodes: nodes.map(([record]) => JSON.parse(String(record))),
        edges: edges.map(([from, to]) => ({ from: String(from), to: String(to) })),
      };
    },
  };
}
