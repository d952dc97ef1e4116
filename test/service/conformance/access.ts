import { describe, expect, test } from 'vitest';

import { noMetric, noRule, type Subject } from './subject.ts';

/** What holds for every endpoint: limits, keys and scopes, paths that lead nowhere. */
export function describeAccess(subject: () => Subject): void {
  describe('every response', () => {
    test('announces the rate limit as integers', async () => {
      for (const answer of [
        await subject().call('GET', subject().rules()),
        await subject().call('GET', `${subject().rules()}/${noRule}`),
        await subject().call('GET', '/api/v1/nothing'),
        await subject().call('GET', subject().rules(), undefined, 'wrong'),
      ]) {
        for (const header of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']) {
          expect(answer.headers.get(header)).toMatch(/^\d+$/);
        }
        expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/);
      }
    });

    test.each([
      ['GET', '/api/v1/nothing', 404, 'NOT_FOUND'],
      ['GET', '/', 404, 'NOT_FOUND'],
      ['PUT', `/api/v1/sdk/validity/x`, 405, 'METHOD_NOT_ALLOWED'],
      ['POST', `/api/v1/assets/x/freshness`, 405, 'METHOD_NOT_ALLOWED'],
    ])('%s %s is %i %s', async (method, path, status, code) => {
      const answer = await subject().call(method, path);
      expect(answer.status).toBe(status);
      expect(answer.body).toEqual({
        error: { code, message: expect.any(String), details: expect.any(Object) },
      });
    });
  });

  describe('authentication', () => {
    test.each([
      ['no key', undefined],
      ['an unknown key', 'nobody'],
    ])('%s is 401 UNAUTHORIZED', async (_, key) => {
      const response = await subject().send(subject().rules(), {}, key);
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({
        error: { code: 'UNAUTHORIZED', message: expect.any(String), details: {} },
      });
    });

    test('a read-only key reads', async () => {
      for (const path of [
        `${subject().rules()}/summary`,
        subject().rules(),
        `${subject().metrics()}/summary`,
        subject().metrics(),
      ]) {
        expect(await subject().call('GET', path, undefined, subject().harness.keys.readOnly)).toMatchObject({
          status: 200,
        });
      }
      const freshness = `/api/v1/assets/${subject().harness.assetId}/freshness`;
      expect(
        await subject().call('GET', freshness, undefined, subject().harness.keys.readOnly),
      ).toMatchObject({ status: 200 });
    });

    test('a read-only key does not write: 403 FORBIDDEN names both scopes', async () => {
      const rule = await subject().createRule();
      const metric = await subject().createMetric();
      for (const [method, path, body] of [
        ['POST', subject().rules(), subject().emailRule()],
        ['PATCH', rule.path, { is_active: false }],
        ['DELETE', rule.path, undefined],
        ['POST', `${rule.path}/check`, {}],
        ['POST', subject().metrics(), { metric_type: 'row_count', table_path: subject().harness.tablePath }],
        ['PATCH', metric.path, { is_active: false }],
        ['DELETE', metric.path, undefined],
        ['POST', `${metric.path}/capture`, undefined],
        ['POST', `/api/v1/assets/${subject().harness.assetId}/lineage/upload`, undefined],
      ] as const) {
        const answer = await subject().call(method, path, body, subject().harness.keys.readOnly);
        expect(answer.status).toBe(403);
        expect(answer.body).toEqual({
          error: {
            code: 'FORBIDDEN',
            message: expect.stringContaining('read-write'),
            details: { current_scope: 'read-only', required_scope: 'read-write' },
          },
        });
      }
      expect(await subject().call('GET', rule.path)).toMatchObject({ body: { data: { is_active: true } } });
    });

    test('an admin key writes', async () => {
      expect(
        await subject().call('POST', subject().rules(), subject().emailRule(), subject().harness.keys.admin),
      ).toMatchObject({ status: 200 });
    });
  });

  describe('an unknown asset', () => {
    const nowhere = '00000000-0000-4000-8000-000000000000';
    test.each([
      ['GET', `/api/v1/sdk/validity/${nowhere}`],
      ['GET', `/api/v1/sdk/validity/${nowhere}/summary`],
      ['GET', `/api/v1/sdk/validity/${nowhere}/${noRule}`],
      ['POST', `/api/v1/sdk/validity/${nowhere}/${noRule}/check`],
      ['GET', `/api/v1/sdk/metrics/${nowhere}`],
      ['GET', `/api/v1/sdk/metrics/${nowhere}/summary`],
      ['POST', `/api/v1/sdk/metrics/${nowhere}/${noMetric}/capture`],
      ['GET', `/api/v1/assets/${nowhere}/freshness`],
      ['GET', `/api/v1/assets/${nowhere}/freshness?page=1`],
    ])('%s %s is 404 ASSET_NOT_FOUND', async (method, path) => {
      const answer = await subject().call(method, path);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({
        error: {
          code: 'ASSET_NOT_FOUND',
          message: expect.any(String),
          details: { asset_id: nowhere, suggestion: expect.any(String) },
        },
      });
    });
  });
}
