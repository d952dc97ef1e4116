import type { Lineage, LineageEdge, LineageNode } from './lineage.ts';

/** A node with its place: its column from the left, its row from the top. */
export interface PlacedNode extends LineageNode {
  readonly column: number;
  readonly row: number;
}

/** A lineage as it is drawn. */
export interface LineageLayout {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly LineageEdge[];
}

/** More nodes than this are a thicket. */
export const mostNodes = 80;

/**
 * Places what was made from what from left to right, each node behind all it is made from. Of a lineage that is too
 * large, what is around the tables with checks is drawn. Returns `undefined` if nothing can be drawn: without edges,
 * in a circle, or if even that is too large.
 */
export function layOut(
  { nodes, edges }: Lineage,
  isChecked: (node: LineageNode) => boolean,
): LineageLayout | undefined {
  const known = new Set(nodes.map(({ id }) => id));
  const links = edges.filter(({ from, to }) => from !== to && known.has(from) && known.has(to));
  const linked = new Set(links.flatMap(({ from, to }) => [from, to]));
  const candidates = nodes.filter(({ id }) => linked.has(id));
  const shown = candidates.length <= mostNodes ? candidates : neighbours(candidates, links, isChecked);
  if (shown.length === 0 || shown.length > mostNodes) return undefined;
  const ids = new Set(shown.map(({ id }) => id));
  const drawn = links.filter(({ from, to }) => ids.has(from) && ids.has(to));
  const columns = columnsOf(shown, drawn);
  if (columns === undefined) return undefined;
  return { nodes: order(columns, drawn), edges: drawn };
}

function neighbours(
  nodes: readonly LineageNode[],
  edges: readonly LineageEdge[],
  isChecked: (node: LineageNode) => boolean,
): readonly LineageNode[] {
  const checked = new Set(nodes.filter(isChecked).map(({ id }) => id));
  const near = new Set(
    edges.flatMap(({ from, to }) => (checked.has(from) || checked.has(to) ? [from, to] : [])),
  );
  return nodes.filter(({ id }) => near.has(id));
}

function columnsOf(
  nodes: readonly LineageNode[],
  edges: readonly LineageEdge[],
): readonly (readonly LineageNode[])[] | undefined {
  const parents = Map.groupBy(edges, ({ to }) => to);
  const children = Map.groupBy(edges, ({ from }) => from);
  const columns = new Map<string, number>();
  let waiting = nodes;
  for (let column = 0; waiting.length > 0; column++) {
    const isReady = ({ id }: LineageNode): boolean =>
      parents.get(id)?.every(({ from }) => columns.has(from)) ?? true;
    const ready = waiting.filter(isReady);
    if (ready.length === 0) return undefined;
    waiting = waiting.filter((node) => !ready.includes(node));
    for (const { id } of ready) columns.set(id, column);
  }
  // A source is placed right before the first that needs it, so that its edge does not pass behind others.
  for (const { id } of nodes) {
    if (parents.has(id)) continue;
    const next = (children.get(id) ?? []).map(({ to }) => columns.get(to) ?? 1);
    columns.set(id, Math.min(...next) - 1);
  }
  return Array.from({ length: Math.max(...columns.values()) + 1 }, (_, at) =>
    nodes.filter(({ id }) => columns.get(id) === at),
  );
}

/** Puts each node near the middle of those it is made from, so that fewer edges cross. */
function order(
  columns: readonly (readonly LineageNode[])[],
  edges: readonly LineageEdge[],
): readonly PlacedNode[] {
  const parents = Map.groupBy(edges, ({ to }) => to);
  const rows = new Map<string, number>();
  const middle = (id: string): number => {
    const above = (parents.get(id) ?? []).flatMap(({ from }) => rows.get(from) ?? []);
    return above.reduce((sum, row) => sum + row, 0) / Math.max(1, above.length);
  };
  return columns.flatMap((column, at) => {
    const sorted = column.toSorted((a, b) => middle(a.id) - middle(b.id) || (a.name < b.name ? -1 : 1));
    return sorted.map((node, row) => {
      rows.set(node.id, row);
      return Object.assign({ column: at, row }, node);
    });
  });
}
