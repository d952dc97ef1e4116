import { SankeyChart } from 'echarts/charts';
import { use } from 'echarts/core';

import { drawChart } from './chart.ts';
import type { Lineage, LineageNode } from './lineage.ts';

/** More nodes than this are a thicket. */
export const mostNodes = 80;

const rowHeight = 30;
const layerWidth = 190;

/** Draws what was made from what, its sources on the left; `undefined` if it cannot be drawn. */
export function drawLineage({ nodes, edges }: Lineage): string | undefined {
  const known = new Set(nodes.map(({ id }) => id));
  const links = edges.filter(({ from, to }) => known.has(from) && known.has(to));
  const linked = new Set(links.flatMap(({ from, to }) => [from, to]));
  const shown = nodes.filter(({ id }) => linked.has(id));
  const layers = layersOf(shown, { nodes, edges: links });
  if (shown.length === 0 || shown.length > mostNodes || layers === undefined) return undefined;

  use([SankeyChart]);
  const names = new Map(shown.map(({ id, name }) => [id, name]));
  const parents = new Set(links.map(({ from }) => from));
  const series = {
    type: 'sankey' as const,
    left: 4,
    right: 4,
    top: 8,
    bottom: 8,
    nodeWidth: 6,
    nodeGap: 16,
    nodeAlign: 'left' as const,
    draggable: false,
    silent: true,
    data: shown.map(({ id, resource_type }) => ({
      name: id,
      itemStyle: { color: resource_type === 'source' ? 'var(--line2)' : 'var(--line0)' },
      label: { position: parents.has(id) ? ('right' as const) : ('left' as const) },
    })),
    links: links.map(({ from, to }) => ({ source: from, target: to, value: 1 })),
    label: {
      color: 'var(--ink)',
      fontSize: 12,
      formatter: ({ name }: { readonly name: string }) => names.get(name) ?? name,
    },
    lineStyle: { color: 'var(--axis)', opacity: 0.35 },
  };
  const size = { width: layers.length * layerWidth, height: Math.max(...layers) * rowHeight + rowHeight };
  return drawChart({ series: [series] }, size);
}

/** How many nodes are in each layer, a node behind all it is made from; `undefined` if that goes in a circle. */
function layersOf(shown: readonly LineageNode[], { edges }: Lineage): readonly number[] | undefined {
  const parents = Map.groupBy(edges, ({ to }) => to);
  const waiting = new Set(shown.map(({ id }) => id));
  const layers: number[] = [];
  while (waiting.size > 0) {
    const layer = [...waiting].filter((id) => !parents.get(id)?.some(({ from }) => waiting.has(from)));
    if (layer.length === 0) return undefined;
    for (const id of layer) waiting.delete(id);
    layers.push(layer.length);
  }
  return layers;
}
