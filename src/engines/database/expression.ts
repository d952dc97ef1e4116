/** How a database writes what an expression is made of. */
export interface ExpressionSyntax {
  /** Matches a string, a quoted name or a comment, from its first character to its last. */
  readonly quoted: RegExp;
  /** Matches the beginning of what `quoted` has to match whole. */
  readonly opening: RegExp;
  /** Matches the name of a function that acts, waits, or reads anything but a table. */
  readonly denied: RegExp;
  /** Reads the name that a quoted name represents. */
  readonly unquote: (quoted: string) => string;
}

/** What an expression needs, or why it is refused. */
export type Inspection =
  { readonly isPlain: boolean; readonly refusal?: undefined } | { readonly refusal: string };

const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/**
 * Refuses whatever is not one expression: a text that would leave the brackets that are put around it, a second
 * statement, a comment, or a call of a function that does more than compute. What it may read is up to the rights of
 * the role.
 */
export function inspectExpression(expression: string, syntax: ExpressionSyntax): Inspection {
  const open: string[] = [];
  const words: string[] = [];
  // A name, maybe quoted, that the next token may make a call.
  let name = '';
  for (const token of tokensOf(expression, syntax)) {
    const { text, isQuoted, isOpening } = token;
    if (text.trim() === '') continue;
    if (isOpening) return { refusal: 'it holds a comment or a quote that is not closed' };
    if (text === ';') return { refusal: 'it must be a single expression' };
    if (text === '(' && syntax.denied.test(name)) return { refusal: `it must not call ${name}` };
    if (!isQuoted && /^[([{]$/.test(text)) open.push(text);
    if (!isQuoted && text in pairs && open.pop() !== pairs[text]) {
      return { refusal: 'its brackets do not match' };
    }
    name = isQuoted ? syntax.unquote(text) : text;
    if (!isQuoted) words.push(text.toLowerCase());
  }
  if (open.length > 0) return { refusal: 'its brackets do not match' };
  if (words.length === 0 && name === '') return { refusal: 'it is empty' };
  // A window or a subquery has no place in an aggregate.
  return { isPlain: !words.some((word) => word === 'over' || word === 'select') };
}

interface Token {
  readonly text: string;
  readonly isQuoted: boolean;
  /** Whether it begins something that does not end. */
  readonly isOpening: boolean;
}

function* tokensOf(expression: string, { quoted, opening }: ExpressionSyntax): Generator<Token> {
  const word = /[\p{L}_][\p{L}\p{N}_$]*|\s+|[^]/uy;
  const whole = new RegExp(quoted.source, `${quoted.flags.replace('y', '')}y`);
  const start = new RegExp(opening.source, `${opening.flags.replace('y', '')}y`);
  let at = 0;
  while (at < expression.length) {
    const take = (pattern: RegExp): string | undefined => {
      pattern.lastIndex = at;
      return pattern.exec(expression)?.[0];
    };
    const quote = take(whole);
    const beginning = quote === undefined ? take(start) : undefined;
    const text = quote ?? beginning ?? take(word) ?? '';
    yield { text, isQuoted: quote !== undefined, isOpening: beginning !== undefined };
    at += Math.max(1, text.length);
  }
}
