import { InvalidArgumentError, Option } from '@commander-js/extra-typings';

import { closest } from '../closest.ts';

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
