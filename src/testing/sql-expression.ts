/** Strings, quoted names, comments, words and single characters. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|[\p{L}_][\p{L}\p{N}_$]*|[\d.]+|\s+|[^]/gu;

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Words that begin a statement or a clause, never an expression. */
const statements =
  /^(?:from|where|insert|update|delete|create|drop|alter|attach|copy|pragma|set|group|order|having|limit)$/i;

/** Words and characters that want something after them. */
const unfinished = /^(?:and|or|not|is|in|like|between|when|then|else|case|[-+*/%<>=,|&])$/i;

/**
 * Returns what is plainly wrong with the text of an expression; `undefined` if nothing is. No parser: it finds what
 * tests get wrong, such as a whole statement, an open bracket or an end in the middle.
 */
export function refuseExpression(expression: string): string | undefined {
  const tokens = (expression.match(token) ?? []).filter((text) => !/^(?:\s+$|--|\/\*)/u.test(text));
  const [first = '', last = ''] = [tokens[0], tokens.at(-1)];
  if (tokens.length === 0) return 'it must be a single expression';
  if (statements.test(first)) return `syntax error at or near "${first}"`;
  if (/^select$/i.test(first) && /^(?:from|where)?$/i.test(tokens[1] ?? '')) {
    return 'SELECT clause without selection list';
  }
  if (unfinished.test(last)) return 'syntax error at end of input';
  const open: string[] = [];
  for (const text of tokens) {
    if (text === ';') return 'it must be a single expression';
    if (text === "'" || text === '"') return `unterminated quoted text at or near "${text}"`;
    const closed = closing[text];
    if (closed !== undefined) open.push(closed);
    else if (/^[)\]}]$/.test(text) && open.pop() !== text) return `syntax error at or near "${text}"`;
  }
  return open.length === 0 ? undefined : 'syntax error at end of input';
}
