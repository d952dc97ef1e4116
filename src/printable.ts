// What makes the text of strangers safe to show.

/** Control characters of both sets, line separators, and what changes the direction of writing. */
const control = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** What a CI runner takes for a command: GitHub's at the start of a line, those of GitHub, Azure and TeamCity behind `##`. */
const runnerCommands = [
  [/^(\s*):(?=:)/, '$1: '],
  [/##(?=\[|vso\[|teamcity\[)/g, '# #'],
] as const;

/**
 * Returns a value as text in one line for a terminal or a log: a control character could rewrite the screen, a change
 * of direction could show another text than there is.
 */
export function stripControlCharacters(value: unknown): string {
  return String(value).replaceAll(control, '\u{fffd}');
}

/** Returns text without what a CI runner would execute. */
export function stripRunnerCommands(text: string): string {
  return text
    .split('\n')
    .map((line) => runnerCommands.reduce((rest, [pattern, shown]) => rest.replace(pattern, shown), line))
    .join('\n');
}

/** Returns JSON that prints no control character and no command of a CI runner, and parses to the same data. */
export function printableJson(json: string): string {
  // The line breaks between the fields are the only ones that JSON has, the others are escaped already.
  return json
    .split('\n')
    .map((line) => line.replaceAll(control, escapeCharacter).replaceAll('##', String.raw`#\u0023`))
    .join('\n');
}

function escapeCharacter(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
