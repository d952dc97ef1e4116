import { importDbt } from 'data-quality-client/rules';
import { describe, expect, it } from 'vitest';

import { withSource } from './dbt.ts';

const day = { error_after: { count: 1, period: 'day' } };

describe('the freshness of a source', () => {
  it.each([
    [
      { error_after: { count: 24, period: 'hour' }, warn_after: { count: null, period: null } },
      'at',
      '24h',
      [],
    ],
    [{ warn_after: { count: 2, period: 'day' } }, '"at"', '2d', []],
    [
      { error_after: { count: 90, period: 'minute' }, warn_after: { count: 1, period: 'hour' } },
      'at',
      '90m',
      ['warn_after 1h: a table has one oldest age, which is that of error_after'],
    ],
  ])('takes over the freshness %j of a source', (freshness, loaded_at_field, max_age, reasons) => {
    const { definition, unmapped } = importDbt(withSource({ freshness, loaded_at_field }));
    expect(definition.tables['shop.raw.events_v1']).toEqual({
      freshness: { max_age, timestamp_column: 'at' },
    });
    expect(unmapped.map(({ reason }) => reason)).toEqual(reasons);
  });

  it('lists what of a freshness a definition can not express, and reads it from the config too', () => {
    const freshness = { error_after: { count: 1, period: 'day' } };
    const loaded_at_field = 'cast(at as timestamp)';
    const cast = importDbt(withSource({ config: { freshness, loaded_at_field } }));
    expect(cast.definition.tables['shop.raw.events_v1']).toEqual({ freshness: { max_age: '1d' } });
    expect(cast.unmapped).toMatchObject([
      {
        table_path: 'shop.raw.events_v1',
        reason: `loaded_at_field ${loaded_at_field}: a timestamp_column is the name of a column`,
      },
    ]);
    const filtered = importDbt(withSource({ freshness: { ...freshness, filter: 'id > 1' } }));
    expect(filtered.definition.tables).toEqual({});
    expect(filtered.unmapped).toMatchObject([
      { reason: 'filter: freshness looks at every row, not only id > 1' },
    ]);
    expect(importDbt(withSource({ freshness: { error_after: { count: null } } })).unmapped).toEqual([]);
  });

  it.each([
    [{ loaded_at_field: '[loaded_at]' }, 'loaded_at'],
    [{ loaded_at_field: '`loaded_at`' }, 'loaded_at'],
    [{ loaded_at_field: 'loaded_at' }, 'loaded_at'],
    [{ config: { loaded_at_field: 'loaded_at' } }, 'loaded_at'],
    [{ loaded_at_field: null }, undefined],
    [{ config: { loaded_at_field: null } }, undefined],
    [{ loaded_at_field: '' }, undefined],
    [{}, undefined],
  ])('with %j has the column %s', (fields, timestamp_column) => {
    const { definition, unmapped } = importDbt(withSource({ freshness: day, ...fields }));
    expect(definition.tables['shop.raw.events_v1']).toEqual({
      freshness: { max_age: '1d', ...(timestamp_column !== undefined && { timestamp_column }) },
    });
    expect(unmapped).toEqual([]);
  });

  it.each(['at, time', 'at + 1', '(at', 'at)'])('has no column if its field is %j', (loaded_at_field) => {
    const { definition, unmapped } = importDbt(withSource({ freshness: day, loaded_at_field }));
    expect(definition.tables['shop.raw.events_v1']).toEqual({ freshness: { max_age: '1d' } });
    expect(unmapped.map(({ reason }) => reason)).toEqual([
      `loaded_at_field ${loaded_at_field}: a timestamp_column is the name of a column`,
    ]);
  });

  it('is one age if a warning and an error have the same', () => {
    const freshness = { ...day, warn_after: { count: 1, period: 'day' } };
    expect(importDbt(withSource({ freshness }))).toEqual({
      definition: { tables: { 'shop.raw.events_v1': { freshness: { max_age: '1d' } } } },
      unmapped: [],
    });
  });

  it.each([
    {},
    { freshness: null },
    { freshness: { error_after: null, warn_after: {} } },
    { freshness: { error_after: { count: 0, period: 'day' } } },
    { freshness: { error_after: { count: 1, period: 'week' }, filter: 'id > 1' } },
    { freshness: { error_after: { count: 1 } } },
  ])('is not expected of %j', (fields) => {
    expect(importDbt(withSource(fields))).toEqual({ definition: { tables: {} }, unmapped: [] });
  });

  it('lists a source under its id if it has no name', () => {
    const freshness = { ...day, filter: 'id > 1' };
    expect(importDbt(withSource({ name: null, freshness })).unmapped).toEqual([
      {
        unique_id: 'source.shop.raw.events',
        name: 'source.shop.raw.events',
        table_path: 'shop.raw.events_v1',
        column_name: null,
        reason: 'filter: freshness looks at every row, not only id > 1',
      },
    ]);
  });

  it('needs no sources in the manifest', () => {
    expect(importDbt({ nodes: {}, sources: null })).toEqual({ definition: { tables: {} }, unmapped: [] });
  });
});
