import { asRecord } from '../judgement/field.ts';
import { formatNumber, plural } from '../judgement/number.ts';
import { html, type Markup } from './markup.ts';
import type { ReportedRule } from './report.ts';

/** More columns would not be read, and the page stays small. */
const mostColumns = 40;

/**
 * The rows that broke a rule, as whole as the service returned them, and how many it left out. A reader who has no
 * button for a check is told how to come by them.
 */
export function samplesTable(
  { rule, samples, results, outcome }: ReportedRule,
  canCheck: boolean,
): Markup | undefined {
  if (outcome !== 'failed' && outcome !== 'tolerated') return undefined;
  if (samples.length === 0) {
    return html`<p class="note">
      No rows are at hand: only a check returns them.
      ${!canCheck && html`<code>dq report --check</code> checks first.`}
    </p>`;
  }
  const rows = samples.map((sample) => fieldsOf(sample, rule.column_name));
  const columns = [...new Set(rows.flatMap((row) => [...row.fields.keys()]))].slice(0, mostColumns);
  const invalid = results[0]?.invalid_count;
  const heading =
    typeof invalid === 'number' && invalid > samples.length
      ? `${formatNumber(samples.length)} of ${plural(invalid, 'invalid row')}`
      : plural(samples.length, 'invalid row');
  return html`<p class="heading">${heading}</p>
    <div class="scroll" tabindex="0" role="group" aria-label="Rows that broke the rule">
      <table>
        <thead>
          <tr>
            <th scope="col">Row</th>
            ${columns.map((column) => html`<th scope="col">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ row, fields }) =>
              html`<tr>
                <td>${row}</td>
                ${columns.map((column) => html`<td${column === rule.column_name && html` class="culprit"`}>${cell(fields.get(column), fields.has(column))}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

interface SampleRow {
  readonly row: string;
  readonly fields: ReadonlyMap<string, unknown>;
}

/** The columns of a sample: its value, and whatever of the row came beside it. */
function fieldsOf(sample: unknown, column: unknown): SampleRow {
  const { row_id: row, value, ...rest } = asRecord(sample);
  const name = typeof column === 'string' && column !== '' ? column : 'value';
  const fields = new Map<string, unknown>();
  const add = (key: string, part: unknown): void => {
    const parts = Object.entries(asRecord(part));
    if (parts.length === 0) fields.set(key, part);
    else for (const [inner, content] of parts) fields.set(inner, content);
  };
  // A value of a column may be an object itself; without a column, it is the row.
  if (name === 'value') add(name, value);
  else fields.set(name, value);
  for (const [key, part] of Object.entries(rest)) add(key, part);
  return { row: typeof row === 'number' ? formatNumber(row) : typeof row === 'string' ? row : '–', fields };
}

/** Longer texts are cut: their beginning shows what is wrong. */
const longest = 200;

function cell(value: unknown, isKnown: boolean): Markup {
  if (!isKnown || value === undefined) return html``;
  if (value === null) return html`<i>null</i>`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === '') return html`<i>empty text</i>`;
  return html`<code>${text.length > longest ? `${text.slice(0, longest)}…` : text}</code>`;
}
