import { type Changes, renderChanges } from 'data-quality-client/rules';
import { describe, expect, it } from 'vitest';

import { table } from './fake.ts';

const none: Changes = {
  assetId: 'asset-1',
  create: [],
  update: [],
  replace: [],
  delete: [],
  unchanged: [],
  kept: [],
  notApplied: [],
};

const rowCount = {
  kind: 'metric',
  table_path: table,
  column_name: null,
  label: 'row_count',
} as const;

const presence = {
  kind: 'rule',
  table_path: table,
  column_name: 'id',
  label: 'NOT_NULL',
} as const;

const body = { rule_type: 'NOT_NULL', column_name: 'id', table_path: table } as const;

describe('renderChanges', () => {
  it('writes what is about a whole table without a column', () => {
    const changes: Changes = {
      ...none,
      delete: [{ ...rowCount, action: 'delete', id: 'm_1', reason: 'not in the definition' }],
      unchanged: [{ ...rowCount, action: 'unchanged', id: 'm_2', uncompared: ['group_by_columns'] }],
    };
    expect(renderChanges(changes)).toBe(`${table}
    - delete metric row_count: not in the definition

Not compared, because the service does not show these fields:
  metric ${table}: row_count: group_by_columns

0 to create, 0 to update, 0 to replace, 1 to delete, 1 unchanged.
`);
  });

  it('only counts what is unchanged if all of it was compared', () => {
    const changes: Changes = {
      ...none,
      unchanged: [{ ...presence, action: 'unchanged', id: 'v_1', uncompared: [] }],
    };
    expect(renderChanges(changes)).toBe(
      '0 to create, 0 to update, 0 to replace, 0 to delete, 1 unchanged.\n',
    );
  });

  it('writes what differs below an update, and what was not compared', () => {
    const changes: Changes = {
      ...none,
      update: [
        {
          ...presence,
          action: 'update',
          id: 'v_1',
          patch: { severity: 'info' },
          differences: [
            { field: 'severity', from: 'warning', to: 'info' },
            { field: 'description', from: null, to: undefined },
          ],
          uncompared: ['error_message'],
        },
      ],
    };
    expect(renderChanges(changes)).toBe(`${table}
    ~ update rule id: NOT_NULL
        severity: "warning" → "info"
        description: null → none
        error_message: not shown by the service, so not compared

0 to create, 1 to update, 0 to replace, 0 to delete, 0 unchanged.
`);
  });

  it.each([
    [{ owner: 'ann' }, ' (owner ann)'],
    [{ tags: ['nightly', 'pii'] }, ' (tags nightly, pii)'],
    [{ owner: 'ann', tags: ['pii'] }, ' (owner ann; tags pii)'],
    [{ tags: [] }, ''],
    [{}, ''],
  ])('writes the labels %j as %j', (labels, text) => {
    const changes: Changes = {
      ...none,
      create: [{ ...presence, ...labels, action: 'create', body, is_active: true }],
    };
    expect(renderChanges(changes)).toContain(`    + create rule id: NOT_NULL${text}\n`);
  });

  it('paints each change by what is done, without its reason', () => {
    const changes: Changes = {
      ...none,
      create: [{ ...presence, action: 'create', body, is_active: true }],
      delete: [{ ...rowCount, action: 'delete', id: 'm_1', reason: 'gone', requires: 'prune' }],
    };
    expect(renderChanges(changes, (action, text) => `<${action}>${text}</>`)).toBe(`${table}
  <create>  + create rule id: NOT_NULL</>
  <delete>  - delete metric row_count</>: gone (requires prune)

1 to create, 0 to update, 0 to replace, 1 to delete, 0 unchanged.
`);
  });
});
