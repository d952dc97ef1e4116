import { InvalidRequestError } from 'data-quality-client';
import { type Definition, freshnessExpectations } from 'data-quality-client/rules';
import { describe, expect, it } from 'vitest';

describe('freshnessExpectations', () => {
  it('returns what is expected of the asset, and of each table that has a freshness', () => {
    const definition: Definition = {
      freshness: { max_age: '1d' },
      tables: {
        'a.b.c': { freshness: { max_age: '90m', timestamp_column: 'at' } },
        'a.b.d': { rules: [{ rule_type: 'UNIQUE', column_name: 'id' }] },
        'a.b.e': { freshness: { max_age: '2h' } },
      },
    };
    expect(freshnessExpectations('asset-1', definition)).toStrictEqual([
      { assetId: 'asset-1', maxAgeMinutes: 1440 },
      { assetId: 'asset-1', table_path: 'a.b.c', maxAgeMinutes: 90 },
      { assetId: 'asset-1', table_path: 'a.b.e', maxAgeMinutes: 120 },
    ]);
  });

  it('returns nothing if nothing is expected', () => {
    expect(freshnessExpectations('asset-1', { tables: { 'a.b.c': {} } })).toEqual([]);
  });

  it.each(['0m', 'soon', ''])(
    'refuses a definition that was not checked, with a max_age of %j',
    (max_age) => {
      const expected = () => freshnessExpectations('asset-1', { freshness: { max_age }, tables: {} });
      expect(expected).toThrow(InvalidRequestError);
      expect(expected).toThrow('freshness.max_age must be more than 0 and look like 90m, 24h or 2d');
    },
  );
});
