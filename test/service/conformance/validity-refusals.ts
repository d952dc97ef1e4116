import { describe, expect, test } from 'vitest';

import { at, type Subject } from './subject.ts';

async function post(subject: Subject, body: string, headers: Record<string, string>) {
  const response = await subject.send(
    subject.rules(),
    { method: 'POST', body, headers },
    subject.harness.keys.readWrite,
  );
  return { status: response.status, code: at(await response.json(), 'error', 'code') };
}

/** What is refused on the paths of the validity rules (interface: Errors, VALIDATION_ERROR). */
export function describeValidityRefusals(subject: () => Subject): void {
  describe('validity rules refuse', () => {
    test('what a rule needs is demanded: 400 VALIDATION_ERROR names the field', async () => {
      const table = { table_path: subject().harness.tablePath };
      const column = { column_name: 'email' };
      for (const [body, field] of [
        [
          { ...table, ...column, rule_type: 'REGEX', rule_config: { pattern: '[unclosed' } },
          'rule_config.pattern',
        ],
        [{ ...table, ...column, rule_type: 'REGEX', rule_config: {} }, 'rule_config.pattern'],
        [{ ...table, ...column, rule_type: 'REGEX' }, 'rule_config'],
        [{ ...table, ...column, rule_type: 'RANGE', rule_config: { min: 'a' } }, 'rule_config.min'],
        [
          { ...table, ...column, rule_type: 'ENUM', rule_config: { allowed_values: [] } },
          'rule_config.allowed_values',
        ],
        [{ ...table, ...column, rule_type: 'DATE_FORMAT', rule_config: {} }, 'rule_config.format'],
        [{ ...table, rule_type: 'CUSTOM_SQL', rule_config: {} }, 'rule_config.sql_expression'],
        [{ ...table, rule_type: 'NOT_NULL' }, 'column_name'],
        [{ ...column, rule_type: 'NOT_NULL' }, 'table_path'],
        [{ ...table, ...column }, 'rule_type'],
        [{ ...table, ...column, rule_type: 'SOMETHING' }, 'rule_type'],
        [{ ...subject().emailRule(), severity: 'deadly' }, 'severity'],
        [{ ...subject().emailRule(), check_interval: 'yearly' }, 'check_interval'],
        [{ ...subject().emailRule(), treat_null_as_valid: 'yes' }, 'treat_null_as_valid'],
        [{ ...subject().emailRule(), alert_threshold_percent: 101 }, 'alert_threshold_percent'],
        [{ ...subject().emailRule(), sevrity: 'info' }, 'sevrity'],
        [[], 'body'],
      ] as const) {
        const answer = await subject().call('POST', subject().rules(), body);
        expect({ ...answer, sent: body }).toEqual({
          sent: body,
          status: 400,
          headers: expect.any(Headers) as unknown,
          body: {
            error: {
              code: 'VALIDATION_ERROR',
              message: expect.stringContaining(field) as unknown,
              details: { field, error: expect.any(String) as unknown },
            },
          },
        });
      }
      expect(at((await subject().call('GET', subject().rules())).body, 'pagination', 'total')).toBe(0);
    });

    test('a bad patch, sample_limit or query is 400 and names the field', async () => {
      const rule = await subject().createRule();
      for (const [method, path, body, field] of [
        ['PATCH', rule.path, { is_active: 'no' }, 'is_active'],
        ['PATCH', rule.path, { rule_type: 'UNIQUE' }, 'rule_type'],
        ['POST', `${rule.path}/check`, { sample_limit: -1 }, 'sample_limit'],
        ['POST', `${rule.path}/check`, { sample_limit: 1.5 }, 'sample_limit'],
        ['GET', `${subject().rules()}?limit=0`, undefined, 'limit'],
        ['GET', `${subject().rules()}?limit=x`, undefined, 'limit'],
        ['GET', `${subject().rules()}?limit=1&limit=2`, undefined, 'limit'],
        ['GET', `${subject().rules()}?offset=-1`, undefined, 'offset'],
        ['GET', `${subject().rules()}?is_active=maybe`, undefined, 'is_active'],
        ['GET', `${subject().rules()}?colour=red`, undefined, 'colour'],
        ['GET', `${rule.path}/results?limit=0`, undefined, 'limit'],
      ] as const) {
        const answer = await subject().call(method, path, body);
        expect({ ...answer, path }).toMatchObject({
          path,
          status: 400,
          body: { error: { code: 'VALIDATION_ERROR', details: { field } } },
        });
      }
    });

    test('a body that is not JSON is 400, one of another kind 415, one beyond the limit 413', async () => {
      const json = { 'Content-Type': 'application/json' };
      expect(await post(subject(), '{"rule_type":', json)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(await post(subject(), '', json)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(
        await post(subject(), JSON.stringify(subject().emailRule()), { 'Content-Type': 'text/plain' }),
      ).toEqual({
        status: 415,
        code: 'UNSUPPORTED_MEDIA_TYPE',
      });
      expect(
        await post(subject(), JSON.stringify({ ...subject().emailRule(), name: 'x'.repeat(2 ** 20) }), json),
      ).toEqual({
        status: 413,
        code: 'PAYLOAD_TOO_LARGE',
      });
    });
  });
}
