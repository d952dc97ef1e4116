const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for the content of an element or a quoted attribute, of XML or HTML. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(forbidden, '\u{fffd}')
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Characters that XML 1.0 does not allow, not even escaped. */
// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
