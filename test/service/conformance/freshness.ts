import { describe, expect, test } from 'vitest';

import { aNumber, aTimestamp, at, list, type Subject } from './subject.ts';

function path(asset: string): string {
  return `/api/v1/assets/${asset}/freshness`;
}

/** The freshness endpoint (interface: Freshness). */
export function describeFreshness(subject: () => Subject): void {
  describe('freshness', () => {
    test('returns the freshness envelope, by id and by qualified name', async () => {
      for (const asset of [subject().harness.assetId, encodeURIComponent(subject().harness.assetName)]) {
        const { status, body } = await subject().call('GET', path(asset));
        expect(status).toBe(200);
        expect(body).toMatchObject({
          success: true,
          message: null,
          data: {
            asset: subject().harness.assetName,
            status: 'fresh',
            last_updated: aTimestamp,
            sla_threshold: '24h',
            sla_status: 'within_sla',
            checked_at: aTimestamp,
            timestamp_column: expect.any(String),
            data_age_minutes: aNumber,
          },
        });
        expect(at(body, 'data', 'data_age_minutes')).toSatisfy(Number.isInteger);
      }
    });

    test('with paging or filters it returns the envelope of the overview', async () => {
      const { body } = await subject().call(
        'GET',
        `${path(subject().harness.assetId)}?page=1&page_size=5&status_filters=ready,error`,
      );
      expect(body).toMatchObject({ success: true, meta: { page: 1, page_size: 5, total: 1 } });
      expect(list(at(body, 'data', 'items'))).toHaveLength(1);
      const none = await subject().call(
        'GET',
        `${path(subject().harness.assetId)}?search_query=no-such-table`,
      );
      expect(none.body).toMatchObject({ success: true, data: { items: [] }, meta: { total: 0 } });
    });

    test.each(['page=0', 'page_size=0', 'page_size=101', 'page=x'])('%s is 400', async (query) => {
      const answer = await subject().call('GET', `${path(subject().harness.assetId)}?${query}`);
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR', details: { field: query.split('=')[0] } } },
      });
    });

    test('an asset without configuration is 422', async () => {
      for (const query of ['', '?page=1']) {
        const answer = await subject().call('GET', path(subject().harness.unconfiguredAssetId) + query);
        expect(answer.status).toBe(422);
        expect(answer.body).toMatchObject({ error: { message: expect.any(String) } });
      }
    });
  });
}
