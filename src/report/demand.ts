import { asRecord, displayText } from '../judgement/field.ts';
import { html, type Markup } from './markup.ts';
import type { ReportedRule } from './report.ts';

/** More of a list would hide the rest of the page. */
const mostValues = 30;

/** Says what a rule demands of each value or row, with its configuration. */
export function describeDemand({ rule }: ReportedRule): Markup {
  const config = asRecord(rule.rule_config);
  switch (displayText(rule.rule_type).toUpperCase()) {
    case 'NOT_NULL':
      return html`Every row must have a value.`;
    case 'UNIQUE':
      return html`No value may occur twice.`;
    case 'REGEX':
      return html`Every value must match ${code(config['pattern'])}.`;
    case 'RANGE':
      return html`Every value must be ${describeRange(config)}.`;
    case 'ENUM':
      return html`Every value must be one of ${describeValues(config)}.`;
    case 'DATE_FORMAT':
      return html`Every value must be a date in the format ${code(config['format'])}.`;
    case 'CUSTOM_SQL':
      return html`Every row must meet this condition:
        <pre tabindex="0">${displayText(config['sql_expression']) || notShown}</pre>`;
    default:
      return Object.keys(config).length === 0 ? html`${notShown}` : html`${code(config)}`;
  }
}

const notShown = 'The service does not show it.';

function describeRange({ min: least, max: most }: Readonly<Record<string, unknown>>): Markup {
  const hasLeast = least !== undefined && least !== null;
  const hasMost = most !== undefined && most !== null;
  if (hasLeast && hasMost) return html`between ${code(least)} and ${code(most)}`;
  if (hasLeast) return html`at least ${code(least)}`;
  return hasMost ? html`at most ${code(most)}` : html`within a range. ${notShown}`;
}

function describeValues(config: Readonly<Record<string, unknown>>): Markup {
  const { allowed_values: values } = config;
  if (!Array.isArray(values)) return html`a set. ${notShown}`;
  const rest = values.length - mostValues;
  return html`${values.slice(0, mostValues).map((value, at) => html`${at > 0 && ', '}${code(value)}`)}${rest > 0 && ` and ${rest} more`}`;
}

function code(value: unknown): Markup {
  if (value === undefined) return html`something. ${notShown}`;
  return html`<code>${typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}</code>`;
}
