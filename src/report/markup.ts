import { displayText } from '../judgement/field.ts';

/** Text that is markup already: a class, so that nothing a service sends can pass for it. */
export class Markup {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** What can be put into markup. */
export type Content = Markup | string | number | boolean | null | undefined | readonly Content[];

/** Marks a text as markup: only for what this program made itself. */
export function raw(markup: string): Markup {
  return new Markup(markup);
}

/**
 * Makes markup of a template: every text put into it is escaped, markup and lists of markup are taken as they are,
 * and what is undefined, null or false leaves nothing.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Markup {
  const parts = strings.map((text, at) => unindent(text) + (at < values.length ? write(values[at]) : ''));
  return new Markup(parts.join(''));
}

/** A page of thousands of elements is a third smaller without the indentation of its templates. */
function unindent(text: string): string {
  return text.replaceAll(/\n\s*/g, ' ');
}

function write(value: Content): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Markup) return value.markup;
  // Without validation of responses, a text can be anything.
  return Array.isArray(value) ? value.map(write).join('') : escape(displayText(value));
}

/** Escapes a text for the content of an element or a quoted attribute. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\0', '\u{fffd}')
    .replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
