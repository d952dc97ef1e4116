import { escapeMarkup } from '../gate/markup.ts';

/** Text that is markup already. */
export interface Markup {
  readonly markup: string;
}

/** What can be put into markup. */
export type Content = Markup | string | number | boolean | null | undefined | readonly Content[];

/** Marks a text as markup: only for what this program made itself. */
export function raw(markup: string): Markup {
  return { markup };
}

/**
 * Makes markup of a template: every text put into it is escaped, markup and lists of markup are taken as they are,
 * and what is undefined, null or false leaves nothing.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const parts = strings.map((text, at) => unindent(text) + (at < values.length ? write(values[at]) : ''));
  return { markup: parts.join('') };
}

/** A page of thousands of elements is a third smaller without the indentation of its templates. */
function unindent(text: string): string {
  return text.replaceAll(/\n\s*/g, ' ');
}

function write(value: Content): string {
  if (value === undefined || value === null || value === false) return '';
  if (typeof value !== 'object') return escapeMarkup(String(value));
  return 'markup' in value ? value.markup : value.map(write).join('');
}
