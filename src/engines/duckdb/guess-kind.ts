import type { Kind } from './kind.ts';

const number = /^\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\s*$/u;
const whole = /^[+-]?[0-9]{1,18}$/u;
const time = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[ T][0-9]{1,2}:[0-9]{2}.*)?$/u;
const date = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/u;
const boolean = /^(?:true|false)$/iu;

/** Guesses the kind of a column from its first values, where the empty text is null. */
export function guessKind(first: readonly string[]): Kind {
  const values = first.filter((value) => value !== '');
  const like = (pattern: RegExp): readonly string[] => values.filter((value) => pattern.test(value));
  const isMost = (some: readonly string[]): boolean => some.length * 2 > values.length;
  const numbers = like(number);
  if (isMost(numbers)) return numbers.every((value) => whole.test(value)) ? 'whole' : 'number';
  const times = like(time);
  if (isMost(times)) return times.every((value) => date.test(value)) ? 'date' : 'time';
  return isMost(like(boolean)) ? 'boolean' : 'text';
}
