import { createPacing, type Pacing, type RateLimitOption } from './pacing.ts';

/** The gates in use; each lives as long as a client that uses it. */
const gates = new Map<string, WeakRef<Pacing>>();

/**
 * The gate that all clients of this process with the same key, base URL and option share. `apiKey` may be a
 * function; the same one then stands for the same key. `warn` is that of the first of them.
 */
export function sharedPacing(
  apiKey: string | object,
  baseUrl: string,
  option: RateLimitOption,
  warn?: (message: string) => void,
): Pacing {
  const key = digest(typeof apiKey === 'string' ? `${apiKey} ${baseUrl}` : baseUrl);
  const holder = typeof apiKey === 'string' ? 0 : numberOf(apiKey);
  const choice = JSON.stringify(option, (name, value: unknown) =>
    name === 'store' && value instanceof Object ? numberOf(value) : value,
  );
  const identity = `${key} ${holder} ${choice}`;
  const known = gates.get(identity)?.deref();
  if (known !== undefined) return known;
  forgetUnused();
  const pacing = createPacing(option, key, warn);
  gates.set(identity, new WeakRef(pacing));
  return pacing;
}

function forgetUnused(): void {
  for (const [identity, gate] of gates) {
    if (gate.deref() === undefined) gates.delete(identity);
  }
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** Tells objects apart without holding on to them. */
function numberOf(object: object): number {
  const number = numbers.get(object) ?? ++lastNumber;
  numbers.set(object, number);
  return number;
}

/** Names a key without keeping it: FNV-1a, twice, the same in every process. */
function digest(text: string): string {
  let one = 0x811c9dc5;
  let two = 0x1b873593;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    two = Math.imul(two ^ unit, 0x85ebca6b);
  }
  return `${(one >>> 0).toString(36)}-${(two >>> 0).toString(36)}`;
}
