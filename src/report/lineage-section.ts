import { drawLineage, mostNodes } from './lineage-chart.ts';
import { html, type Markup, raw } from './markup.ts';
import type { Report } from './report.ts';
import { plural } from './wording.ts';

/** Where the data comes from, as a picture and in words, if the service knows it. */
export function lineageSection({ lineage }: Report): Markup | undefined {
  if (lineage === undefined) return undefined;
  const { nodes, edges } = lineage;
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const parents = Map.groupBy(edges, ({ to }) => to);
  const picture = drawLineage(lineage);
  const tooMany = nodes.length > mostNodes ? '; too many to draw' : '';
  return html`<section aria-labelledby="lineage">
    <h2 id="lineage">Lineage</h2>
    <p>${plural(nodes.length, 'node')}, ${plural(edges.length, 'edge')}${tooMany}.</p>
    ${picture !== undefined && html`<div class="wide" tabindex="0" role="group" aria-label="Picture of the lineage">${raw(picture)}</div>`}
    <details>
      <summary>In words</summary>
      <ul>
        ${[...parents]
          .slice(0, mostListed)
          .map(
            ([id, from]) =>
              html`<li>
                <strong>${names.get(id) ?? id}</strong> from
                ${from.map((edge) => names.get(edge.from) ?? edge.from).join(', ')}
              </li>`,
          )}${parents.size > mostListed && html`<li>and ${parents.size - mostListed} more</li>`}
      </ul>
    </details>
  </section>`;
}

/** The page stays small. */
const mostListed = 500;
