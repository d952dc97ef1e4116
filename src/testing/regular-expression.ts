/** Constructs of JavaScript that RE2, which the service matches with, does not have. */
const unsupported: readonly (readonly [RegExp, string])[] = [
  [/^\(\?(?:[=!]|<[=!])/, 'invalid perl operator'],
  // The service names groups as Python does: (?P<name>…).
  [/^\(\?(?:>|<\w)/, 'invalid perl operator'],
  [/^\\(?:[1-9]|k[<{'])/, 'invalid escape sequence'],
  [/^(?:[*+?]|\{\d+(?:,\d*)?\})\+/, 'bad repetition operator'],
];

/** Escapes of RE2, with what they are in JavaScript. */
const escapes: Readonly<Record<string, string>> = {
  '\\A': '^',
  '\\z': '$',
  '\\a': String.raw`\x07`,
  '\\C': '[^]',
  '\\Q': '',
  '\\E': '',
};

/** One piece of a pattern: a class, an escape, the beginning of a group or a single character. */
const piece =
  /\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]|\\Q[^]*?(?:\\E|$)|\\[pP](?:\{\^?\w+\}|\w)|\\x\{[\da-fA-F]+\}|\\[^]|\(\?P?<\w+>|\(\?[imsU]*(?:-[imsU]+)?[:)]|[^]/gu;

/**
 * Returns why RE2 would refuse a pattern; `undefined` if it would take it. A translation to JavaScript finds what both
 * refuse, such as a bracket that is never closed.
 */
export function refusePattern(pattern: string): string | undefined {
  for (
    let at = 0;
    at < pattern.length;
    at += pattern[at] === '\\' && !/[1-9k]/.test(pattern[at + 1] ?? '') ? 2 : 1
  ) {
    const rest = pattern.slice(at);
    const [found, reason] = unsupported.find(([construct]) => construct.test(rest)) ?? [];
    if (found !== undefined) return `${reason}: ${found.exec(rest)?.[0]}`;
  }
  const bounds = Array.from(pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g), ([, least, most]) => [least, most]);
  if (bounds.flat().some((bound) => Number(bound ?? 0) > 1000)) {
    return 'bad repetition operator: more than 1000 times';
  }
  try {
    RegExp(toJavaScript(pattern), 'u');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function toJavaScript(pattern: string): string {
  return pattern.replaceAll(piece, (part) => {
    if (part.startsWith('[') && part.length > 1) return toJavaScriptClass(part);
    if (part.startsWith('\\Q'))
      return part
        .slice(2)
        .replace(/\\E$/, '')
        .replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
    if (/^\\[pP](?!\{)/.test(part)) return `${part.slice(0, 2)}{${part.slice(2)}}`;
    const [, negation = '', script] = /^\\(p|P)\{(\w{3,})\}$/.exec(part) ?? [];
    if (script !== undefined) return `\\${negation}{Script=${script}}`;
    // Not a raw template: terser, and so webpack, takes the escape in it for a broken one.
    if (part.startsWith('\\x{')) return ['\\u{', part.slice(3)].join('');
    if (part.startsWith('(?P<')) return `(?<${part.slice(4)}`;
    if (/^\(\?[imsU-]*[:)]$/.test(part)) return part.endsWith(')') ? '' : '(?:';
    if (part in escapes) return escapes[part] ?? '';
    // Any punctuation may be escaped in RE2, in JavaScript only what has a meaning.
    return /^\\[^\w\\^$.*+?()[\]{}|/]$/u.test(part) ? part.slice(1) : part;
  });
}

function toJavaScriptClass(part: string): string {
  return part
    .replaceAll(/\[:\^?\w+:\]/g, String.raw`\w`)
    .replaceAll(/(?<!^\[?\^?)\[/g, String.raw`\[`)
    .replaceAll(/\\[pP](?!\{)(\w)/g, String.raw`\p{$1}`)
    .replaceAll(/\\([^\w\\^$.*+?()[\]{}|/-])/gu, '$1')
    .replace(/^(\[\^?)\]/, String.raw`$1\]`);
}
