import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll } from 'vitest';

export const baseUrl = 'https://dq.test/team';
export const apiKey = 'dq_live_s3cr3t_key';
export const assetId = '6f1c2a52-4b1e-4a52-9d6b-2f3a1f0c7e11';
export const ruleId = 'v_0b6a3c1e-7d4f-4c55-8a8e-5e2c9a1d3f20';

/** A response, by hand: status, body and headers; an `Error` for a connection that fails. */
export type Told = readonly [number, unknown, Record<string, string>?] | Error;

export const checkResult = {
  id: 7,
  validity_rule_id: 1,
  status: 'fail',
  total_rows: 400,
  invalid_count: 3,
  invalid_percent: 0.75,
  execution_duration_ms: 12,
  checked_at: '2026-03-01T12:00:00Z',
  invalid_samples: { samples: [{ row_id: 1, value: 'someone@example.com' }] },
};

export const rule = {
  id: 1,
  uuid: ruleId,
  rule_type: 'NOT_NULL',
  table_path: 'shop.sales.orders',
  column_name: 'email',
  name: 'email is there',
  severity: 'critical',
  is_active: true,
};

export const freshness = {
  asset: 'shop',
  status: 'fresh',
  last_updated: '2026-03-01T11:00:00Z',
  sla_threshold: '24h',
  sla_status: 'within_sla',
  checked_at: '2026-03-01T12:30:00Z',
  timestamp_column: 'updated_at',
  data_age_minutes: 90,
};

export const problem = (code: string) => ({ error: { code, message: `this is ${code}`, details: {} } });

/** Puts a service behind MSW for the tests of a file; returns how to tell it what it responds, request by request. */
export function useService() {
  const requests: Request[] = [];
  const server = setupServer();
  beforeAll(() => server.listen());
  afterEach(() => {
    server.resetHandlers();
    requests.length = 0;
  });
  afterAll(() => server.close());

  return {
    requests,
    /** The last one holds for all further requests. */
    responds(...responses: readonly (Told | ((request: Request) => Told))[]) {
      server.use(
        http.all(`${baseUrl}/*`, ({ request }) => {
          requests.push(request);
          const next = responses[Math.min(requests.length, responses.length) - 1];
          const told = typeof next === 'function' ? next(request) : next;
          if (told === undefined || told instanceof Error) return HttpResponse.error();
          const [status, body, headers = {}] = told;
          return HttpResponse.json(body as object, { status, headers });
        }),
      );
    },
  };
}
