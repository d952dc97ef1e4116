import { asRecord } from '../judgement/field.ts';
import type { JsonObject } from './tool.ts';

/** Most characters of JSON that a result has: about five thousand tokens. */
const mostCharacters = 20_000;

/** A text is not cut below this, so that an id or a message stays whole. */
const shortest = 400;

/** What was cut off. */
export interface Cut {
  /** Where, such as `snapshots`. */
  readonly path: string;
  /** How many items or characters are left. */
  readonly shown: number;
  /** How many there were. */
  readonly total: number;
  /** What is counted. */
  readonly unit: 'items' | 'characters';
}

type Key = string | number;

interface Candidate {
  readonly path: readonly Key[];
  readonly value: string | readonly unknown[];
  readonly size: number;
}

/** Returns the value with its largest lists and texts halved until it fits into a context, and what was cut off. */
export function fit(
  value: JsonObject,
  most = mostCharacters,
): { readonly value: JsonObject; readonly cuts: readonly Cut[] } {
  const cuts = new Map<string, Cut>();
  let fitting = value;
  while (JSON.stringify(fitting).length > most) {
    const [largest] = candidates(fitting, []).toSorted((one, other) => other.size - one.size);
    if (largest === undefined) break;
    const { path, value: whole } = largest;
    const shown = Math.ceil(whole.length / 2);
    const name = path.join('.');
    cuts.set(name, {
      path: name,
      shown,
      total: cuts.get(name)?.total ?? whole.length,
      unit: typeof whole === 'string' ? 'characters' : 'items',
    });
    const rest = typeof whole === 'string' ? `${whole.slice(0, shown)}…` : whole.slice(0, shown);
    fitting = asRecord(replace(fitting, path, rest));
  }
  return { value: fitting, cuts: [...cuts.values()] };
}

/** Everything that can be cut. */
function candidates(value: unknown, path: readonly Key[]): Candidate[] {
  if (typeof value === 'string') {
    return value.length > shortest ? [{ path, value, size: value.length }] : [];
  }
  if (Array.isArray(value)) {
    const inner = value.flatMap((item: unknown, at) => candidates(item, [...path, at]));
    return value.length < 2 ? inner : [{ path, value, size: JSON.stringify(value).length }, ...inner];
  }
  return Object.entries(asRecord(value)).flatMap(([name, field]) => candidates(field, [...path, name]));
}

function replace(value: unknown, [first, ...rest]: readonly Key[], by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((item: unknown, at) => (at === first ? replace(item, rest, by) : item));
  }
  return { ...asRecord(value), [first]: replace(asRecord(value)[first], rest, by) };
}
