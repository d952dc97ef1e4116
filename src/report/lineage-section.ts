import type { CheckOutcome } from '../judgement/outcome.ts';
import { plural } from '../judgement/number.ts';
import type { Anchors } from './anchors.ts';
import { becomesTable, type LineageNode } from './lineage.ts';
import { layOut, type LineageLayout, type PlacedNode } from './lineage-layout.ts';
import { html, type Markup } from './markup.ts';
import type { AssetReport, Report } from './report.ts';
import { nameOfAsset, type ReportedTable, tablesOf } from './tables.ts';
import { outcomeWords } from './format.ts';

/** Where the data comes from and goes to, as a picture and in words, with the status of the tables that are checked. */
export function lineageSection(report: Report, anchors: Anchors): Markup | undefined {
  const shown = report.assets.filter(({ lineage }) => lineage !== undefined);
  if (shown.length === 0) return undefined;
  const tables = tablesOf(report);
  return html`<section aria-labelledby="lineage">
    <h2 id="lineage">Lineage</h2>
    ${shown.map((asset) => html`${report.assets.length > 1 && html`<h3>${nameOfAsset(asset)}</h3>`}${lineageOf(asset, tables, anchors)}`)}
  </section>`;
}

/** The page stays small. */
const mostListed = 500;

function lineageOf(asset: AssetReport, tables: readonly ReportedTable[], anchors: Anchors): Markup {
  const { nodes, edges } = asset.lineage ?? { nodes: [], edges: [] };
  const own = tables.filter((table) => table.asset === asset);
  const find = (node: LineageNode): ReportedTable | undefined =>
    own.find(({ path }) => becomesTable(node, path));
  const layout = layOut({ nodes, edges }, (node) => find(node) !== undefined);
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const parents = Map.groupBy(edges, ({ to }) => to);
  const drawn = layout === undefined ? 0 : layout.nodes.length;
  return html`<p class="note">
      ${drawn === nodes.length ? plural(nodes.length, 'table') : `${drawn} of ${plural(nodes.length, 'table')} drawn`}${drawn > 0 && ', from sources on the left to what is made of them on the right'}.${drawn > 0 && drawn < nodes.length && ' The others have no connection or are too far from what is checked.'}
    </p>
    ${
      layout !== undefined &&
      html`<p class="note hint">Scroll sideways to see all of it.</p>
        <div class="scroll lineage" tabindex="0" role="group" aria-label="Picture of the lineage">
          ${picture(layout, find, anchors)}
        </div>`
    }
    <details class="plain">
      <summary>In words</summary>
      <ul>
        ${[...parents]
          .slice(0, mostListed)
          .map(
            ([id, from]) =>
              html`<li>
                <b>${names.get(id) ?? id}</b> from
                ${from.map((link) => names.get(link.from) ?? link.from).join(', ')}
              </li>`,
          )}${parents.size > mostListed && html`<li>and ${parents.size - mostListed} more</li>`}
      </ul>
    </details>`;
}

const box = { width: 178, height: 40, gapX: 62, gapY: 14 };
/** Widest text of a box, in characters of a font whose characters are all as wide. */
const mostCharacters = 21;
const characterWidth = 7.2;

function picture(
  { nodes, edges }: LineageLayout,
  find: (node: LineageNode) => ReportedTable | undefined,
  anchors: Anchors,
): Markup {
  const places = new Map(nodes.map((node) => [node.id, node]));
  const width = (Math.max(...nodes.map(({ column }) => column)) + 1) * (box.width + box.gapX) - box.gapX + 4;
  const height = (Math.max(...nodes.map(({ row }) => row)) + 1) * (box.height + box.gapY) - box.gapY + 4;
  return html`<svg viewBox="-2 -2 ${width} ${height}" width="${width}" height="${height}">
    ${edges.map(({ from, to }) => edge(places.get(from), places.get(to)))}
    ${nodes.map((node) => nodeBox(node, find(node), anchors))}
  </svg>`;
}

function edge(from: PlacedNode | undefined, to: PlacedNode | undefined): Markup | undefined {
  if (from === undefined || to === undefined) return undefined;
  const x = left(from) + box.width;
  const y = top(from) + box.height / 2;
  const endX = left(to) - 7;
  const endY = top(to) + box.height / 2;
  const bend = Math.max(24, (endX - x) / 2);
  return html`<path
      class="edge"
      d="M${x} ${y}C${x + bend} ${y} ${endX - bend} ${endY} ${endX} ${endY}"
    /><path class="arrow" d="M${endX} ${endY - 4}l7 4-7 4z" />`;
}

function nodeBox(node: PlacedNode, table: ReportedTable | undefined, anchors: Anchors): Markup {
  const outcome: CheckOutcome | undefined = table?.outcome;
  const note = outcome === undefined ? node.resource_type : `${signs[outcome]} ${outcomeWords[outcome]}`;
  const x = left(node);
  const y = top(node);
  const drawn = html`<title>
      ${node.name}: ${node.resource_type}${outcome !== undefined && `, ${outcomeWords[outcome]}`}
    </title>
    <rect
      class="${outcome ?? 'plain'}"
      x="${x}"
      y="${y}"
      width="${box.width}"
      height="${box.height}"
      rx="6"
    />
    ${line(node.name, x + 10, y + 17, '')} ${line(note, x + 10, y + 32, `note ${outcome ?? ''}`)}`;
  if (table === undefined) return html`<g>${drawn}</g>`;
  return html`<a href="#${anchors.of('table', table.asset.assetId + table.path, table.path)}">${drawn}</a>`;
}

/** Writes a text in exactly the room it has, whatever font the page gets. */
function line(text: string, x: number, y: number, kind: string): Markup {
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  const shown =
    characters.length > mostCharacters ? [...characters.slice(0, mostCharacters - 1), '…'] : characters;
  if (shown.length === 0) return html``;
  const length = Math.round(shown.length * characterWidth * 10) / 10;
  return html`<text class="${kind}" x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs"
    >${shown.join('')}</text
  >`;
}

const signs: Readonly<Record<CheckOutcome, string>> = {
  failed: '✕',
  inconclusive: '?',
  tolerated: '!',
  passed: '✓',
  skipped: '–',
};

function left({ column }: PlacedNode): number {
  return column * (box.width + box.gapX);
}

function top({ row }: PlacedNode): number {
  return row * (box.height + box.gapY);
}
