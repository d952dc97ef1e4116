import { describe, expect, test } from 'vitest';

import { aNumber, aTimestamp, at, idsOf, type Subject, uuidText } from './subject.ts';

/** The validity rules (interface: Validity). */
export function describeValidity(subject: () => Subject): void {
  describe('validity rules', () => {
    test('create returns the list shape with the defaults', async () => {
      const { body } = await subject().call('POST', subject().rules(), subject().emailRule());
      expect(body).toEqual({
        data: {
          id: aNumber,
          uuid: expect.stringMatching(RegExp(`^v_${uuidText}$`)),
          table_path: subject().harness.tablePath,
          column_name: 'email',
          rule_type: 'NOT_NULL',
          name: null,
          severity: 'warning',
          is_active: true,
          check_interval: 'daily',
          created_at: aTimestamp,
        },
      });
    });

    test('the detail has the configuration and no created_at', async () => {
      const rule = await subject().createRule({
        rule_type: 'RANGE',
        rule_config: { min: 0.5, max: 10 },
        name: 'In range – größer als ½',
        description: 'Positive',
        severity: 'critical',
        error_message: 'out of range',
        alert_threshold_percent: 2.5,
        treat_null_as_valid: true,
        check_interval: 'hourly',
      });
      expect((await subject().call('GET', rule.path)).body).toEqual({
        data: {
          id: rule.id,
          uuid: rule.uuid,
          table_path: subject().harness.tablePath,
          column_name: 'email',
          rule_type: 'RANGE',
          rule_config: { min: 0.5, max: 10 },
          name: 'In range – größer als ½',
          description: 'Positive',
          severity: 'critical',
          is_active: true,
          alert_threshold_percent: 2.5,
          treat_null_as_valid: true,
          check_interval: 'hourly',
        },
      });
    });

    test.each([
      ['NOT_NULL', undefined],
      ['UNIQUE', undefined],
      ['REGEX', { pattern: '@' }],
      ['RANGE', { min: 1 }],
      ['ENUM', { allowed_values: ['a', 1, null] }],
      ['DATE_FORMAT', { format: 'YYYY-MM-DD' }],
    ])('%s is created and kept as given', async (ruleType, config) => {
      const rule = await subject().createRule({
        rule_type: ruleType,
        ...(config && { rule_config: config }),
      });
      expect((await subject().call('GET', rule.path)).body).toMatchObject({
        data: { rule_type: ruleType, rule_config: config ?? null },
      });
    });

    test('CUSTOM_SQL needs no column', async () => {
      const { body } = await subject().call('POST', subject().rules(), {
        rule_type: 'CUSTOM_SQL',
        table_path: subject().harness.tablePath,
        rule_config: { sql_expression: 'email IS NOT NULL' },
      });
      expect(body).toMatchObject({ data: { rule_type: 'CUSTOM_SQL', column_name: null } });
    });

    test('a list item has the list shape; filters and pages select', async () => {
      const first = await subject().createRule();
      const second = await subject().createRule({ rule_type: 'UNIQUE', name: 'second' });
      const third = await subject().createRule();
      await subject().call('PATCH', first.path, { is_active: false });

      const whole = await subject().call('GET', subject().rules());
      expect(at(whole.body, 'pagination')).toEqual({ total: 3, limit: 50, offset: 0, has_more: false });
      expect(at(whole.body, 'data', 'items', 1)).toEqual({
        id: second.id,
        uuid: second.uuid,
        table_path: subject().harness.tablePath,
        column_name: 'email',
        rule_type: 'UNIQUE',
        name: 'second',
        severity: 'warning',
        is_active: true,
        check_interval: 'daily',
        created_at: aTimestamp,
      });

      const found = async (query: string) => {
        const { body } = await subject().call('GET', `${subject().rules()}?${query}`);
        return {
          ids: idsOf(at(body, 'data', 'items'), 'uuid'),
          pagination: at(body, 'pagination'),
        };
      };
      expect(await found('rule_type=UNIQUE')).toMatchObject({ ids: [second.uuid] });
      expect(await found('is_active=false')).toMatchObject({ ids: [first.uuid] });
      expect(await found('is_active=true&rule_type=NOT_NULL')).toMatchObject({ ids: [third.uuid] });
      expect(await found('rule_type=NONE')).toEqual({
        ids: [],
        pagination: { total: 0, limit: 50, offset: 0, has_more: false },
      });
      expect(await found('limit=2')).toEqual({
        ids: [first.uuid, second.uuid],
        pagination: { total: 3, limit: 2, offset: 0, has_more: true },
      });
      expect(await found('limit=2&offset=2')).toEqual({
        ids: [third.uuid],
        pagination: { total: 3, limit: 2, offset: 2, has_more: false },
      });
      expect(await found('limit=2&offset=1')).toEqual({
        ids: [second.uuid, third.uuid],
        pagination: { total: 3, limit: 2, offset: 1, has_more: false },
      });
      expect(await found('offset=9')).toMatchObject({
        ids: [],
        pagination: { total: 3, offset: 9, has_more: false },
      });
      for (const limit of ['100', '101', '500']) {
        expect(await found(`limit=${limit}`)).toMatchObject({ pagination: { limit: 100 } });
      }
    });

    test('a change is kept', async () => {
      const rule = await subject().createRule({ description: 'before' });
      const patch = {
        is_active: false,
        name: 'renamed',
        severity: 'info',
        alert_threshold_percent: 30,
        treat_null_as_valid: true,
        check_interval: 'weekly',
      };
      expect(await subject().call('PATCH', rule.path, patch)).toMatchObject({ status: 200 });
      expect((await subject().call('GET', rule.path)).body).toMatchObject({
        data: { ...patch, description: 'before', column_name: 'email' },
      });
    });

    test('a deleted rule is gone with its results', async () => {
      const rule = await subject().createRule();
      await subject().call('POST', `${rule.path}/check`);
      expect(await subject().call('DELETE', rule.path)).toMatchObject({
        status: 200,
        body: { data: { success: true } },
      });
      for (const [method, path] of [
        ['GET', rule.path],
        ['PATCH', rule.path],
        ['DELETE', rule.path],
        ['POST', `${rule.path}/check`],
        ['GET', `${rule.path}/results`],
      ] as const) {
        const answer = await subject().call(method, path, method === 'PATCH' ? {} : undefined);
        expect(answer.status).toBe(404);
        expect(answer.body).toEqual({
          error: { code: 'RULE_NOT_FOUND', message: expect.any(String), details: { rule_id: rule.uuid } },
        });
      }
      expect((await subject().call('GET', `${subject().rules()}/summary`)).body).toEqual({
        data: { total_rules: 0, passing: 0, failing: 0, error: 0 },
      });
    });

    test('a check counts, samples and is remembered', async () => {
      const rule = await subject().createRule();
      const { status, body } = await subject().call('POST', `${rule.path}/check`, {});
      expect(status).toBe(200);
      const result = {
        id: aNumber,
        validity_rule_id: rule.id,
        status: 'fail',
        total_rows: 10,
        invalid_count: 2,
        invalid_percent: 20,
        execution_duration_ms: aNumber,
        checked_at: aTimestamp,
      };
      expect(body).toEqual({
        data: {
          ...result,
          invalid_samples: {
            samples: [
              { row_id: 3, value: null },
              { row_id: 7, value: null },
            ],
          },
        },
      });
      expect((await subject().call('GET', `${rule.path}/results`)).body).toEqual({
        data: { items: [result] },
        pagination: { total: 1, limit: 100, offset: 0, has_more: false },
      });
      expect(at(body, 'data', 'execution_duration_ms')).toSatisfy(Number.isInteger);
    });

    test('sample_limit limits the samples, not the counts', async () => {
      const rule = await subject().createRule();
      expect((await subject().call('POST', `${rule.path}/check`, { sample_limit: 1 })).body).toMatchObject({
        data: { invalid_count: 2, invalid_samples: { samples: [{ row_id: 3 }] } },
      });
      const { body } = await subject().call('POST', `${rule.path}/check`, { sample_limit: 0 });
      expect(at(body, 'data', 'invalid_samples')).toEqual({ samples: [] });
    });

    test('the threshold decides between pass and fail', async () => {
      const rule = await subject().createRule({ alert_threshold_percent: 20 });
      expect((await subject().call('POST', `${rule.path}/check`)).body).toMatchObject({
        data: { status: 'pass' },
      });
      await subject().call('PATCH', rule.path, { alert_threshold_percent: 19.99 });
      expect((await subject().call('POST', `${rule.path}/check`)).body).toMatchObject({
        data: { status: 'fail' },
      });
    });

    test('results are newest first, in pages', async () => {
      const rule = await subject().createRule();
      const ids: unknown[] = [];
      for (let run = 0; run < 3; run += 1) {
        ids.push(at((await subject().call('POST', `${rule.path}/check`)).body, 'data', 'id'));
      }
      const { body } = await subject().call('GET', `${rule.path}/results?limit=2`);
      expect(idsOf(at(body, 'data', 'items'))).toEqual([ids[2], ids[1]]);
      expect(at(body, 'pagination')).toEqual({ total: 3, limit: 2, offset: 0, has_more: true });
      const rest = await subject().call('GET', `${rule.path}/results?limit=2&offset=2`);
      expect(idsOf(at(rest.body, 'data', 'items'))).toEqual([ids[0]]);
    });

    test('the summary counts the rules by their latest result', async () => {
      await subject().createRule();
      const failing = await subject().createRule();
      const passing = await subject().createRule();
      await subject().call('POST', `${failing.path}/check`);
      await subject().call('POST', `${passing.path}/check`);
      await subject().call('PATCH', passing.path, { alert_threshold_percent: 50 });
      await subject().call('POST', `${passing.path}/check`);
      expect((await subject().call('GET', `${subject().rules()}/summary`)).body).toEqual({
        data: { total_rules: 3, passing: 1, failing: 1, error: 0 },
      });
    });
  });
}
