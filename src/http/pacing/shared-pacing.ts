import { createPacing } from './create-pacing.ts';
import type { Pacing } from './pacing.ts';
import type { RateLimitOption } from './rate-limit-option.ts';

/** What every copy of this package in the process shares. */
interface Registry {
  /** Each lives as long as a client that uses it. */
  readonly pacings: Map<string, WeakRef<Pacing>>;
  /** Numbers objects without keeping them alive. */
  readonly numbers: WeakMap<object, number>;
  lastNumber: number;
}

/** The number changes whenever `Pacing` or `Registry` does, so that copies share only what both understand. */
const registryName = Symbol.for('data-quality-client.pacing.1');

function registry(): Registry {
  const holder = globalThis as { [registryName]?: Registry };
  const known = holder[registryName];
  if (known !== undefined) return known;
  const value: Registry = { pacings: new Map(), numbers: new WeakMap(), lastNumber: 0 };
  Object.defineProperty(holder, registryName, { value });
  return value;
}

/**
 * Returns the pacing that all clients of this process with the same key, base URL and option share, even those of
 * another copy of this package. `apiKey` may be a function; the same function then means the same key. `warn` is
 * that of the first of them.
 */
export function sharedPacing(
  apiKey: string | object,
  baseUrl: string,
  option: RateLimitOption,
  warn?: (message: string) => void,
): Pacing {
  const { pacings } = registry();
  const holder = typeof apiKey === 'string' ? apiKey : numberOf(apiKey);
  const choice = JSON.stringify(option, (name, value: unknown) =>
    name === 'store' && value instanceof Object ? numberOf(value) : value,
  );
  const identity = JSON.stringify([holder, baseUrl, choice]);
  const known = pacings.get(identity)?.deref();
  if (known !== undefined) return known;
  for (const [unused, pacing] of pacings) {
    if (pacing.deref() === undefined) pacings.delete(unused);
  }
  let name: Promise<string> | undefined;
  const nameOnce = (): Promise<string> =>
    (name ??= digest(typeof apiKey === 'string' ? `${apiKey} ${baseUrl}` : baseUrl));
  const pacing = createPacing(option, nameOnce, warn);
  pacings.set(identity, new WeakRef(pacing));
  return pacing;
}

function numberOf(object: object): number {
  const shared = registry();
  const number = shared.numbers.get(object) ?? ++shared.lastNumber;
  shared.numbers.set(object, number);
  return number;
}

/** Names a key, the same in every process, without giving it away: half of its SHA-256. */
async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash, 0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
