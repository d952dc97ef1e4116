import { isObject } from './json.ts';

/**
 * Returns what identifies an item of a list: its `uuid` or `id`; `undefined` if it has neither, or one that
 * is an object: each response makes another one of it.
 */
export function keyOf(item: unknown): unknown {
  const key = isObject(item) ? (item['uuid'] ?? item['id'] ?? undefined) : undefined;
  return typeof key === 'object' ? undefined : key;
}

/**
 * Returns the keys of items: as the text of their response writes them if JavaScript rounds one of them, as beyond 2^53
 * two ids may be the same number.
 */
export function keysOf(
  items: readonly unknown[],
  text: string,
  path: readonly PropertyKey[],
): readonly unknown[] {
  const keys = items.map(keyOf);
  if (!keys.some(isRounded)) return keys;
  try {
    let list: unknown = JSON.parse(text, revive);
    for (const name of path) list = Reflect.get(list as object, name);
    return (list as readonly unknown[]).map(keyOf);
  } catch {
    // Nested deeper than the stack.
    return items.map(() => undefined);
  }
}

/** The declaration of JSON.parse lacks the third argument; in a runtime without it such keys are unknown. */
function revive(name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return (name === 'id' || name === 'uuid') && isRounded(value) ? context?.source : value;
}

function isRounded(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}
