import { DataQualityClient } from 'data-quality-client';
import { describe, expect, test } from 'vitest';

import { collectReport } from '../../src/report/collect.ts';
import { renderReport } from '../../src/report/render.ts';
import type { Sla } from '../../src/report/sla.ts';
import { assetId, serveFake } from '../support/served-fake.ts';
import { largeReport } from './large-report.ts';

const times = {
  fresh_minutes: 9000,
  stale_minutes: 90,
  unknown_minutes: 10,
  unobserved_minutes: 980,
  fresh_percent: 99.00990099009901,
  longest_breach: { from: '2026-11-10T10:00:00Z', until: '2026-11-10T11:00:00Z', minutes: 60 },
};
const sla: Sla = {
  ...times,
  target_percent: 99,
  from: '2026-11-02T00:00:00Z',
  until: '2026-11-15T00:00:00Z',
  observed_since: '2026-11-02T16:00:00Z',
  error_budget: { allowed_minutes: 90.9, spent_minutes: 90, remaining_minutes: 0.9 },
  weeks: [
    { ...times, week: '2026-11-09' },
    { ...times, week: '2026-11-02', fresh_percent: null, longest_breach: null },
  ],
};

function pageWith(part: Partial<Sla>): string {
  const report = largeReport({ rules: 0, metrics: 0 });
  return renderReport({
    ...report,
    assets: [{ ...report.assets[0], assetId, rules: [], metrics: [], sla: { ...sla, ...part } }],
  });
}

/** Collects from a service that says what it is and responds so to the question for the past. */
async function collectFrom(service: string, body: unknown, status = 200) {
  await using served = await serveFake();
  let asked = 0;
  const client = new DataQualityClient({
    baseUrl: served.fake.baseUrl,
    apiKey: served.fake.keys.readOnly,
    rateLimit: false,
    maxRetries: 0,
    async fetch(input, init) {
      const request = new Request(input, init);
      const isSla = request.url.endsWith(`/api/v1/local/assets/${assetId}/sla`);
      if (isSla) asked += 1;
      const response = isSla ? Response.json(body, { status }) : await served.fake.fetch(request);
      response.headers.set('X-Data-Quality-Service', service);
      return response;
    },
  });
  const report = await collectReport(client, [assetId]);
  return { asked, sla: report.assets[0]?.sla };
}

describe('the past of the freshness', () => {
  test('is drawn per week, with the longest breach and the error budget', () => {
    const page = pageWith({});
    expect(page).toContain('99.01 % fresh');
    expect(page).toContain('<th scope="row">2026-11-09</th>');
    expect(page).toContain('Longest breach: 60 min');
    expect(page).toContain('Error budget: 0.9 min of 91 min left.');
    expect(page).not.toContain('One reading');
    expect(page).toMatch(/<b class="badge passed">passed<\/b> <b class="value">99\.01/);
  });

  test('shows a budget that is overspent, and time that nobody knows', () => {
    const page = pageWith({
      fresh_percent: 90,
      error_budget: { allowed_minutes: 60, spent_minutes: 180, remaining_minutes: -120 },
    });
    expect(page).toContain('Error budget: overspent by 2 h (allowed: 60 min stale)');
    expect(page).toContain('It observed nothing for 16 h');
    const unknown = pageWith({ fresh_percent: null, error_budget: null, longest_breach: null });
    expect(unknown).toContain('how fresh the data is was not observed yet');
    expect(unknown).not.toContain('Error budget');
  });

  test('is read from the local service alone, and its absence does not end a report', async () => {
    expect(await collectFrom('local', { data: sla })).toEqual({ asked: 1, sla });
    expect(await collectFrom('hosted', { data: sla })).toEqual({ asked: 0, sla: undefined });
    expect(await collectFrom('local', { data: { ...sla, observed_since: null } })).toMatchObject({
      asked: 1,
      sla: undefined,
    });
    expect(
      await collectFrom('local', { error: { code: 'FRESHNESS_NOT_CONFIGURED', message: 'no' } }, 422),
    ).toMatchObject({ sla: undefined });
  });
});
