import * as fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';

import { isDataQualityError } from 'data-quality-client';
import { parseAlert } from 'data-quality-client/webhooks';
import type { AlertEvent } from 'data-quality-client/webhooks';

import { alertBody } from './deliveries.ts';

const empty = {
  event_type: 'alert.triggered',
  alert: { id: '', rule_name: '', alert_type: '', status: 'triggered', created_at: '' },
  event: { type: 'unknown', change_type: '', asset: { qualified_name: '', asset_type: '' }, details: {} },
  links: { alert_url: '', asset_url: '' },
};

const anyText = expect.any(String) as unknown;
const shape = {
  event_type: anyText,
  alert: { id: anyText, rule_name: anyText, alert_type: anyText, status: anyText, created_at: anyText },
  event: {
    type: anyText,
    change_type: anyText,
    asset: { qualified_name: anyText, asset_type: anyText },
    details: expect.any(Object) as unknown,
  },
  links: { alert_url: anyText, asset_url: anyText },
};

describe('parseAlert', () => {
  test('hands on a documented delivery as it is, from text or parsed', () => {
    const payload = JSON.parse(alertBody('a1')) as object;
    expect(parseAlert(alertBody('a1'))).toEqual(payload);
    expect(parseAlert(payload)).toEqual(payload);
  });

  test.each([
    ['an empty object', {}],
    ['nulls', { event_type: null, alert: null, event: null, links: null }],
    ['empty parts', { alert: {}, event: { asset: null, details: null }, links: {} }],
    ['other kinds', { event_type: 5, alert: [], event: { type: {}, asset: 'x', details: [1] }, links: 'y' }],
  ])('fills %s with defaults', (_, payload) => {
    expect(parseAlert(payload)).toEqual(empty);
  });

  test('keeps unknown event types and fields, at every level', () => {
    const parsed = parseAlert({
      event_type: 'alert.resolved',
      version: 2,
      alert: { id: 'a1', tags: ['x'] },
      event: { type: 'volume_drop', asset: { owner: 'me' }, details: { rows: 0 }, extra: null },
      links: { runbook_url: 'https://x.test' },
    });
    expect(parsed).toMatchObject({
      event_type: 'alert.resolved',
      version: 2,
      alert: { id: 'a1', tags: ['x'], status: 'triggered' },
      event: { type: 'volume_drop', asset: { owner: 'me' }, details: { rows: 0 }, extra: null },
      links: { runbook_url: 'https://x.test' },
    });
  });

  test.each(['', '{', 'null', '[]', '"text"', '7', '\ufeff'])(
    'refuses %j, which is not a JSON object',
    (text) => {
      expect(() => parseAlert(text)).toThrow(expect.objectContaining({ reason: 'not_json' }));
    },
  );

  test('does not quote the payload when it refuses it', () => {
    const caught = attempt(() => parseAlert('{"email": jane@doe.test'));
    expect(caught).toMatchObject({ reason: 'not_json' });
    expect(caught).not.toHaveProperty('cause');
    expect(String(caught)).not.toContain('jane');
  });

  test('never changes what it was given', () => {
    const payload = Object.freeze({ alert: Object.freeze({ id: 'a1' }) });
    expect(parseAlert(payload).alert).not.toBe(payload.alert);
  });

  test('takes any JSON whatever, and always returns what the contract describes', () => {
    const names = ['event_type', 'alert', 'event', 'links', 'id', 'type', 'asset', 'details', '__proto__'];
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue({ maxDepth: 1 }),
        fc.dictionary(fc.constantFrom(...names), tie('node')),
      ),
    })).node;
    fc.assert(
      fc.property(value, (payload) => {
        const text = JSON.stringify(payload) ?? '';
        const outcome = attempt(() => parseAlert(text));
        if (isDataQualityError(outcome)) return;
        expect(outcome).toMatchObject(shape);
        expect(parseAlert(JSON.stringify(outcome))).toEqual(outcome);
      }),
      { numRuns: 300 },
    );
    expect(({} as Record<string, unknown>)['id']).toBeUndefined();
  });

  test('an event has every documented field', () => {
    expectTypeOf<AlertEvent['alert']['id']>().toEqualTypeOf<string>();
    expectTypeOf<AlertEvent['event']['asset']['qualified_name']>().toEqualTypeOf<string>();
  });
});

function attempt(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
