import { InvalidArgumentError, Option } from '@commander-js/extra-typings';

/** An option whose value is one of the given words. */
export function choice<const Flags extends string, const Word extends string>(
  flags: Flags,
  description: string,
  words: readonly Word[],
) {
  return new Option(flags, description).choices(words).argParser((text: string): Word => oneOf(words, text));
}

/** An option whose values are some of the given words. */
export function choices<const Flags extends string, const Word extends string>(
  flags: Flags,
  description: string,
  words: readonly Word[],
) {
  return new Option(flags, description)
    .choices(words)
    .argParser((text: string, before: readonly Word[] | undefined): readonly Word[] => [
      ...(before ?? []),
      oneOf(words, text),
    ]);
}

/** Reads one of the given words, upper or lower case. */
export function anyCase<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => words.find((word) => word.toLowerCase() === text.toLowerCase()) ?? oneOf(words, text);
}

/** Returns the text if it is one of the words; else the error names the word that may have been meant. */
function oneOf<Word extends string>(words: readonly Word[], text: string): Word {
  const known = words.find((word) => word === text);
  if (known !== undefined) return known;
  const meant = closest(words, text);
  const question = meant === undefined ? '' : `Did you mean ${meant}? `;
  throw new InvalidArgumentError(`${question}Valid values: ${words.join(', ')}.`);
}

/** The word that is most like a text, if one is alike. */
export function closest<Word extends string>(words: readonly Word[], text: string): Word | undefined {
  const typed = text.toLowerCase();
  const near = words
    .map((word) => ({ word, edits: editsBetween(typed, word.toLowerCase()) }))
    .filter(({ word, edits }) => edits <= word.length / 3)
    .toSorted((a, b) => a.edits - b.edits);
  return near[0]?.word;
}

/** How many letters must be inserted, deleted or replaced to make one text of the other. */
function editsBetween(from: string, to: string): number {
  // Words of the interface are short: a text beyond this is like none of them.
  if (from.length > 40) return from.length;
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let line = 0; line < from.length; line++) {
    const next = [line + 1];
    for (let at = 0; at < to.length; at++) {
      const replaced = (row[at] ?? 0) + (from[line] === to[at] ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
