import { apply, hasChanges, parseDefinition, plan } from 'data-quality-client/rules';
import { expect, test } from 'vitest';

import { assetId, define, setUp, table } from './fake.ts';

const id = { rule_type: 'NOT_NULL', column_name: 'id' } as const;

test('a rule that is renamed keeps its id, and is not renamed again', async () => {
  const { client, writes } = setUp();
  await apply(client, await plan(client, assetId, define({ rules: [{ ...id, name: 'old' }] })));
  const [before] = await client.validity.list(assetId).toArray();
  const definition = define({ rules: [{ ...id, name: 'new', renamed_from: 'old', severity: 'info' }] });
  const changes = await plan(client, assetId, definition);
  expect(changes.delete).toEqual([]);
  expect(changes.update).toMatchObject([
    { id: before?.uuid, patch: { name: 'new', severity: 'info' }, label: 'new' },
  ]);
  await apply(client, changes);
  expect(writes()).toEqual(['POST', 'PATCH']);
  expect(await client.validity.get(assetId, before?.uuid ?? '')).toMatchObject({ name: 'new' });
  expect(hasChanges(await plan(client, assetId, definition))).toBe(false);
});

test('a new rule is created if there is none of the former name, without the field in its body', async () => {
  const { client } = setUp();
  const definition = define({ rules: [{ ...id, name: 'new', renamed_from: 'old' }] });
  const changes = await plan(client, assetId, definition);
  expect(changes.create.map(({ body }) => body)).toEqual([{ ...id, name: 'new', table_path: table }]);
});

test('a former name that another rule has keeps its rule, and goes to the first of two that want it', async () => {
  const { client } = setUp();
  await apply(client, await plan(client, assetId, define({ rules: [{ ...id, name: 'old' }] })));
  const renamed = { ...id, name: 'new', renamed_from: 'old' } as const;
  const kept = await plan(client, assetId, define({ rules: [renamed, { ...id, name: 'old' }] }));
  expect([kept.create.length, kept.update.length, kept.unchanged.length]).toEqual([1, 0, 1]);
  const twice = await plan(client, assetId, define({ rules: [renamed, { ...renamed, name: 'newer' }] }));
  expect([twice.create.map(({ label }) => label), twice.update.map(({ label }) => label)]).toEqual([
    ['newer'],
    ['new'],
  ]);
});

test('a rule is renamed whatever else is about its column', async () => {
  const { client } = setUp();
  for (const name of ['other', 'old', 'gone'])
    await client.validity.create(assetId, { ...id, name, table_path: table });
  const [, old] = await client.validity.list(assetId).toArray();
  const renamed = { ...id, name: 'new', renamed_from: 'old' } as const;
  const changes = await plan(client, assetId, define({ rules: [{ ...id, name: 'other' }, renamed] }));
  expect(changes.update).toMatchObject([{ id: old?.uuid, patch: { name: 'new' } }]);
  expect(changes.delete).toMatchObject([{ label: 'gone' }]);
});

test('a rule whose name the service does not return is not taken for a former one', async () => {
  const { fake, client } = setUp();
  const item = { id: 1, uuid: 'v_1', table_path: table, ...id };
  fake.failNext({ on: 'GET */validity/*', body: JSON.stringify({ data: { items: [item] } }) });
  const changes = await plan(client, assetId, define({ rules: [{ ...id, name: 'new' }] }));
  expect(changes.create).toMatchObject([{ label: 'new' }]);
  expect(changes.delete).toMatchObject([{ id: 'v_1' }]);
});

test('a rule without a name cannot be renamed', () => {
  expect(() => parseDefinition(define({ rules: [{ ...id, renamed_from: 'old' }] }))).toThrow(
    'rules.0.renamed_from must have a name beside it',
  );
});
