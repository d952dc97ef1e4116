import { type Changes, type Definition, plan, selectChanges } from 'data-quality-client/rules';
import { beforeAll, describe, expect, it } from 'vitest';

import { assetId, define, setUp, table } from './fake.ts';

const presence = { rule_type: 'NOT_NULL', column_name: 'id' } as const;
const range = { rule_type: 'RANGE', column_name: 'amount' } as const;

const before: Definition = define({
  rules: [
    { ...presence, name: 'unchanged' },
    { ...presence, name: 'updated' },
    { ...range, name: 'replaced', rule_config: { min: 0 } },
    { ...presence, name: 'deleted' },
  ],
});

const after: Definition = define({
  rules: [
    { ...presence, name: 'unchanged', owner: 'ann', tags: ['nightly', 'pii'] },
    { ...presence, name: 'updated', owner: 'ann', severity: 'info' },
    { ...range, name: 'replaced', rule_config: { min: 1 }, tags: ['nightly'] },
    { ...presence, name: 'created', owner: 'bob', tags: ['pii'] },
    { ...presence, name: 'bare' },
  ],
});

let changes: Changes;

beforeAll(async () => {
  const { client } = setUp();
  for (const { owner: _owner, tags: _tags, ...rule } of before.tables[table]?.rules ?? [])
    await client.validity.create(assetId, { ...rule, table_path: table });
  changes = await plan(client, assetId, after);
});

/** The labels of all changes, by what is done. */
function labelsOf({ create, update, replace, delete: gone, unchanged }: Changes): object {
  const labels = { create, update, replace, gone, unchanged };
  return Object.fromEntries(
    Object.entries(labels).map(([action, list]) => [action, list.map(({ label }) => label)]),
  );
}

describe('selectChanges', () => {
  const none = { create: [], update: [], replace: [], gone: [], unchanged: [] };

  it('returns all changes if nothing is selected', () => {
    expect(labelsOf(selectChanges(changes, {}))).toEqual({
      create: ['created', 'bare'],
      update: ['updated'],
      replace: ['replaced'],
      gone: ['deleted'],
      unchanged: ['unchanged'],
    });
  });

  it.each([
    [{ owner: ['ann'] }, { update: ['updated'], unchanged: ['unchanged'] }],
    [{ owner: ['ann', 'bob'] }, { create: ['created'], update: ['updated'], unchanged: ['unchanged'] }],
    [{ tag: ['nightly'] }, { replace: ['replaced'], unchanged: ['unchanged'] }],
    [{ tag: ['pii', 'lake'] }, { create: ['created'], unchanged: ['unchanged'] }],
    [{ owner: ['ann'], tag: ['pii'] }, { unchanged: ['unchanged'] }],
    [{ owner: ['eve'] }, {}],
    [{ owner: [] }, {}],
    [{ tag: [] }, {}],
  ])('returns those with one of the owners and one of the tags of %j', (selection, selected) => {
    expect(labelsOf(selectChanges(changes, selection))).toEqual({ ...none, ...selected });
  });

  it('keeps what is not a change', () => {
    expect(selectChanges({ ...changes, kept: ['v_1'] }, { owner: ['eve'] })).toMatchObject({
      assetId,
      kept: ['v_1'],
      notApplied: [],
    });
  });
});
