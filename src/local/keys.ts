import { randomBytes } from 'node:crypto';

import * as z from 'zod/mini';

import { ConfigurationError } from '../errors/configuration-error.ts';
import type { Keys } from '../service/scope.ts';
import type { KeptTexts } from './kept-texts.ts';

const keysName = 'keys.json';

const keysSchema = z.object({ readOnly: z.string(), readWrite: z.string(), admin: z.string() });

/**
 * The keys of a service: those that are given, and for the other scopes those that were made at the first start and
 * kept in the state, so that what a user has set in a shell or a pipeline stays good.
 */
export async function keysOf(texts: KeptTexts, given: Partial<Keys>): Promise<Keys> {
  const { readOnly, readWrite, admin } = given;
  if (readOnly !== undefined && readWrite !== undefined && admin !== undefined) {
    return { readOnly, readWrite, admin };
  }
  const kept = await texts.readOrKeep(keysName, () => `${JSON.stringify(randomKeys(), null, 2)}\n`);
  const made = readKept(kept, texts.placeOf(keysName));
  const keys = {
    readOnly: given.readOnly ?? made.readOnly,
    readWrite: given.readWrite ?? made.readWrite,
    admin: given.admin ?? made.admin,
  };
  if (new Set(Object.values(keys)).size < 3) throw notDifferent();
  return keys;
}

/** Checks keys that are given; throws `ConfigurationError`. */
export function checkKeys(given: Partial<Keys>): Partial<Keys> {
  for (const [name, key] of Object.entries(given)) {
    if (key !== undefined && (typeof key !== 'string' || !/^\S+$/.test(key))) {
      throw new ConfigurationError(`keys.${name} must be a text without spaces`);
    }
  }
  const values = Object.values(given).filter((key) => key !== undefined);
  if (new Set(values).size < values.length) throw notDifferent();
  return given;
}

function readKept(text: string, place: string): Keys {
  try {
    return z.parse(keysSchema, JSON.parse(text));
  } catch (error) {
    throw new ConfigurationError(
      `${place} does not contain the keys of a service; delete it to create new ones`,
      {
        cause: error,
      },
    );
  }
}

function randomKeys(): Keys {
  return { readOnly: randomKey('ro'), readWrite: randomKey('rw'), admin: randomKey('admin') };
}

function randomKey(scope: string): string {
  return `dq_${scope}_${randomBytes(24).toString('base64url')}`;
}

function notDifferent(): ConfigurationError {
  return new ConfigurationError('keys must be three different keys');
}
