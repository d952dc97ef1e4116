import { spawnSync } from 'node:child_process';
import crypto from 'node:crypto';

import { afterEach, describe, expect, test, vi } from 'vitest';

import { isDataQualityError } from 'data-quality-client';

import { signPayload, verifySignature } from '../../src/webhooks/signature.ts';
import { hasTool } from '../support/tool.ts';

const openssl = hasTool('openssl', 'version');

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const payloads: Record<string, string | Uint8Array> = {
  empty: '',
  'a JSON body': '{"alert":{"id":"a1"}}',
  'unicode text': 'Größe 🦆 \u0000 ﷽ \u2028 漢字',
  'a lone surrogate': 'x\ud800y',
  'bytes that are no text': Uint8Array.from({ length: 256 }, (_, index) => index),
  'a view into a larger buffer': new Uint8Array(new TextEncoder().encode('--abc--').buffer, 2, 3),
  'five megabytes': 'ü'.repeat(2_500_000),
};
const secrets = ['s', 'whsec_ü 🔑', 'k'.repeat(200)];

describe('a signature', () => {
  test.skipIf(!openssl).each(Object.entries(payloads))(
    '%s is signed as by openssl',
    async (_name, payload) => {
      for (const secret of secrets) {
        const hex = Buffer.from(secret).toString('hex');
        const { stdout } = spawnSync(
          'openssl',
          ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${hex}`, '-r'],
          { input: typeof payload === 'string' ? Buffer.from(payload) : payload },
        );
        const expected = `sha256=${stdout.toString().slice(0, 64)}`;
        expect(await signPayload(payload, secret)).toBe(expected);
        expect(await verifySignature(payload, expected, secret)).toBe(true);
      }
    },
  );

  test('text and its bytes have the same signature', async () => {
    const header = await signPayload('Größe', 's');
    expect(await verifySignature(new TextEncoder().encode('Größe'), header, 's')).toBe(true);
    expect(await verifySignature(Buffer.from('Größe'), header, 's')).toBe(true);
  });

  test('any of several secrets will do, in any place', async () => {
    const header = await signPayload('body', 'old');
    expect(await verifySignature('body', header, ['new', 'old'])).toBe(true);
    expect(await verifySignature('body', header, ['old', 'new'])).toBe(true);
    expect(await verifySignature('body', header, ['new', 'newer'])).toBe(false);
  });

  test('only the exact header is accepted', async () => {
    const header = await signPayload('body', 's');
    const hex = header.slice('sha256='.length);
    const odd = [
      null, undefined, '', ' ', 'sha256=', hex, `sha1=${hex}`, `SHA256=${hex}`, `sha256=${hex.toUpperCase()}`,
      `${header} `, ` ${header}`, `${header}\n`, `${header},${header}`, header.slice(0, -1), `${header}0`,
      `sha256=${'g'.repeat(64)}`, `sha256=${'é'.repeat(64)}`, `sha256=${'\ud800'.repeat(64)}`, 'x'.repeat(1_000_000),
      [header], { toString: () => header }, 7, true, Symbol('odd'),
    ]; // prettier-ignore
    for (const given of odd) expect(await verifySignature('body', given as string, 's')).toBe(false);
    expect(await verifySignature('body', header, 's')).toBe(true);
  });

  test('every changed character of a signature is noticed', async () => {
    const header = await signPayload('body', 's');
    for (let index = 'sha256='.length; index < header.length; index += 1) {
      const other = header[index] === '0' ? '1' : '0';
      const forged = header.slice(0, index) + other + header.slice(index + 1);
      expect(await verifySignature('body', forged, 's')).toBe(false);
    }
  });

  test('concurrent verifications do not disturb each other', async () => {
    const headers = await Promise.all(Array.from({ length: 50 }, (_, n) => signPayload(`body ${n}`, 's')));
    const matrix = headers.flatMap((header, a) =>
      headers.map(async (_header, b) => (await verifySignature(`body ${b}`, header, 's')) === (a === b)),
    );
    expect((await Promise.all(matrix)).every(Boolean)).toBe(true);
  });

  test('a missing secret is a configuration error, not a free pass', async () => {
    for (const secret of ['', [], [''], ['s', ''], undefined, null, 5]) {
      await expect(verifySignature('body', 'sha256=0', secret as string)).rejects.toMatchObject({
        code: 'CONFIGURATION',
      });
    }
    await expect(signPayload('body', '')).rejects.toMatchObject({ code: 'CONFIGURATION' });
  });

  test('an already parsed body is named as the cause', async () => {
    for (const payload of [{ alert: {} }, [], null, undefined, 5]) {
      await expect(verifySignature(payload as never, 'sha256=0', 's')).rejects.toMatchObject({
        reason: 'body_already_parsed',
        message: expect.stringContaining('express.raw'),
      });
    }
  });

  // Most cases are near misses, as random bytes would all fail at the first look.
  test(
    'of 50,000 odd deliveries exactly those that were signed are accepted',
    { timeout: 60_000 },
    async () => {
      const random = seeded(42);
      const bodies = Array.from({ length: 40 }, () => oddBytes(random, 60));
      const valid = await Promise.all(bodies.map((body) => signPayload(body, 'secret')));
      const foreign = await Promise.all(bodies.map((body) => signPayload(body, 'other')));
      let accepted = 0;
      const mistakes: unknown[] = [];
      for (let round = 0; round < 50_000; round += 1) {
        const at = random(bodies.length);
        const kind = random(6);
        const body =
          kind === 1 ? mutate(random, bodies[at] ?? new Uint8Array()) : (bodies[at] ?? new Uint8Array());
        const header =
          kind === 2
            ? foreign[at]
            : kind === 3
              ? valid[random(valid.length)]
              : kind === 4
                ? mutateText(random, valid[at] ?? '')
                : kind === 5
                  ? String.fromCharCode(...Array.from(oddBytes(random, 90)))
                  : valid[at];
        let result: boolean | undefined;
        try {
          result = await verifySignature(body, header, 'secret');
        } catch (error) {
          if (!isDataQualityError(error)) mistakes.push(error);
        }
        const wasSigned = header !== undefined && header === reference(body);
        if (result !== wasSigned) mistakes.push({ body, header, result });
        if (wasSigned) accepted += 1;
      }
      expect(mistakes).toEqual([]);
      expect(accepted).toBeGreaterThan(5_000);
      expect(accepted).toBeLessThan(25_000);
    },
  );
});

const getBuiltinModule = () => {
  throw new Error(
    'A Node.js API is used (process.getBuiltinModule) which is not supported in the Edge Runtime',
  );
};

test('loads nothing of Node, whose functions throw in the Edge Runtime of Next.js', async () => {
  vi.stubGlobal('process', { getBuiltinModule });
  vi.resetModules();
  const fresh = await import('../../src/webhooks/signature.ts');
  const verify = vi.spyOn(globalThis.crypto.subtle, 'verify');
  expect(await fresh.verifySignature('body', await fresh.signPayload('body', 's'), 's')).toBe(true);
  expect(verify).toHaveBeenCalledTimes(1);
});

function reference(body: Uint8Array): string {
  return `sha256=${crypto.createHmac('sha256', 'secret').update(body).digest('hex')}`;
}

/** The same cases in every run: a small generator by Marsaglia. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function oddBytes(random: (below: number) => number, longest: number): Uint8Array {
  return Uint8Array.from({ length: random(longest) }, () => random(256));
}

function mutate(random: (below: number) => number, bytes: Uint8Array): Uint8Array {
  const changed = Uint8Array.from([
    ...bytes,
    ...(random(3) === 0 || bytes.length === 0 ? [random(256)] : []),
  ]);
  const at = random(changed.length);
  changed[at] = (changed[at] ?? 0) ^ (1 << random(8));
  return changed;
}

function mutateText(random: (below: number) => number, text: string): string {
  const at = random(text.length);
  const character = String.fromCharCode(random(random(2) === 0 ? 128 : 65_536));
  return text.slice(0, at) + character + text.slice(at + random(2));
}
