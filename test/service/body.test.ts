import { describe, expect, test, vi } from 'vitest';

import { aRule, assetId, keys, rules, serve } from './parts.ts';

const mebibyte = 1024 * 1024;

async function send(path: string, init: RequestInit) {
  const { service } = serve({});
  const headers = new Headers(init.headers);
  headers.set('Authorization', `Bearer ${keys.readWrite}`);
  const response = await service(
    new Request(`https://dq.test${path}`, { method: 'POST', ...init, headers, duplex: 'half' }),
  );
  const body: unknown = await response.json();
  return { status: response.status, body };
}

/** A rule as JSON of so many bytes. */
function ruleOf(bytes: number): string {
  const text = JSON.stringify(aRule);
  return `${' '.repeat(bytes - text.length)}${text}`;
}

describe('a JSON body', () => {
  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON ;charset=utf-8'])(
    'is read if its type is %s',
    async (type) => {
      const headers = { 'Content-Type': type };
      expect(await send(rules, { headers, body: JSON.stringify(aRule) })).toMatchObject({ status: 200 });
    },
  );

  test.each(['text/plain', 'application/jsonp', 'application/problem+json'])(
    'is refused with 415 if its type is %s',
    async (type) => {
      const headers = { 'Content-Type': type };
      expect(await send(rules, { headers, body: JSON.stringify(aRule) })).toMatchObject({
        status: 415,
        body: { error: { details: { expected: 'application/json' } } },
      });
    },
  );

  test('is read up to 1 MiB, and refused with 413 above, as soon as that is known', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const length = (bytes: number) => ({ ...headers, 'Content-Length': String(bytes) });
    const tooLarge = { status: 413, body: { error: { details: { limit_bytes: mebibyte } } } };
    expect(await send(rules, { headers, body: ruleOf(mebibyte) })).toMatchObject({ status: 200 });
    expect(await send(rules, { headers: length(mebibyte), body: ruleOf(mebibyte) })).toMatchObject({
      status: 200,
    });
    expect(await send(rules, { headers, body: ruleOf(mebibyte + 1) })).toMatchObject(tooLarge);

    const pull = vi.fn<(controller: ReadableStreamDefaultController<Uint8Array>) => void>((controller) =>
      controller.close(),
    );
    const unread = new ReadableStream({ pull }, { highWaterMark: 0 });
    expect(await send(rules, { headers: length(mebibyte + 1), body: unread })).toMatchObject(tooLarge);
    expect(pull).not.toHaveBeenCalled();
  });

  test.each(['"a text"', '[1]', '3', 'true'])('%s is refused as a whole', async (body) => {
    expect(await send(rules, { headers: { 'Content-Type': 'application/json' }, body })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { field: 'body' } } },
    });
  });

  test.each(['', 'null'])('%j counts as an empty object', async (body) => {
    expect(await send(rules, { headers: { 'Content-Type': 'application/json' }, body })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { field: 'rule_type' } } },
    });
  });
});

test('a manifest is taken from a text field of the form as well as from a file', async () => {
  const manifest = JSON.stringify({
    metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' },
    nodes: { 'model.a': { resource_type: 'model', name: 'a' } },
  });
  for (const part of [manifest, new File([manifest], 'manifest.json')]) {
    const body = new FormData();
    body.append('file', part);
    expect(await send(`/api/v1/assets/${assetId}/lineage/upload`, { body })).toMatchObject({
      status: 200,
      body: { sync_stats: { nodes_created: 1, nodes_total: 1 } },
    });
  }
});
