// The messages that users meet most, word by word: a change of one shows up in review.
import { createServer } from 'node:net';

import { type ClientOptions, DataQualityClient, DataQualityError } from 'data-quality-client';
import { gate } from 'data-quality-client/gate';
import { parseDefinition } from 'data-quality-client/rules';
import { createFakeService } from 'data-quality-client/testing';
import { createWebhookHandler } from 'data-quality-client/webhooks';
import { describe, expect, test } from 'vitest';

const assetId = 'a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11';
const ruleId = 'v_00000000-0000-4000-8000-000000000000';

/** A client whose requests all get this response. */
function clientThatGets(response: () => Response | Promise<Response>, options: ClientOptions = {}) {
  return new DataQualityClient({
    apiKey: 'dq_secret',
    baseUrl: 'https://dq.test',
    maxRetries: 0,
    rateLimit: false,
    fetch: async () => response(),
    ...options,
  });
}

function refusal(status: number, code: string, message: string, details: object = {}, headers = {}) {
  return () =>
    Response.json({ success: false, data: null, error: { code, message, details } }, { status, headers });
}

/** What a user reads when this fails. */
async function messageOf(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    if (error instanceof DataQualityError) return error.message;
    throw error;
  }
  throw new Error('it did not fail');
}

/** What a user reads when the gate over one rule with this result fails. */
async function gateOver(result: { invalid_count: number } | { error_message: string } | undefined) {
  const fake = createFakeService();
  const client = new DataQualityClient(fake.clientOptions);
  if (result !== undefined) {
    const { uuid } = await client.validity.create(fake.asset.id, {
      rule_type: 'NOT_NULL',
      table_path: 'shop.sales.orders',
      column_name: 'email',
      name: 'every order has an email',
    });
    fake.setCheckResult(uuid, { total_rows: 10, ...result });
  }
  const message = await messageOf(() => gate(client, fake.asset.id));
  return message.replaceAll(fake.asset.id, '<asset>');
}

describe('the message for', () => {
  test('a rule that does not exist', async () => {
    const client = clientThatGets(
      refusal(404, 'RULE_NOT_FOUND', 'Validity rule not found', { rule_id: ruleId }),
    );
    expect(await messageOf(() => client.validity.get(assetId, ruleId))).toMatchInlineSnapshot(
      `"GET /api/v1/sdk/validity/a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11/v_00000000-0000-4000-8000-000000000000 → 404 RULE_NOT_FOUND: Validity rule not found"`,
    );
  });

  test('an asset that does not exist', async () => {
    const client = clientThatGets(refusal(404, 'ASSET_NOT_FOUND', 'Asset not found'));
    expect(await messageOf(() => client.freshness.get(assetId))).toMatchInlineSnapshot(
      `"GET /api/v1/assets/a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11/freshness → 404 ASSET_NOT_FOUND: Asset not found"`,
    );
  });

  test('a key that is not valid', async () => {
    const client = clientThatGets(refusal(401, 'UNAUTHORIZED', 'Invalid API key'));
    expect(await messageOf(() => client.validity.summary(assetId))).toMatchInlineSnapshot(
      `"GET /api/v1/sdk/validity/a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11/summary → 401 UNAUTHORIZED: Invalid API key. Check the apiKey option or the environment variable DATA_QUALITY_API_KEY."`,
    );
  });

  test('a key with too low a scope', async () => {
    const client = clientThatGets(
      refusal(403, 'FORBIDDEN', 'Insufficient scope', {
        current_scope: 'read-only',
        required_scope: 'read-write',
      }),
    );
    expect(await messageOf(() => client.validity.delete(assetId, ruleId))).toMatchInlineSnapshot(
      `"DELETE /api/v1/sdk/validity/a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11/v_00000000-0000-4000-8000-000000000000 → 403 FORBIDDEN: Insufficient scope. Use a key with the scope read-write."`,
    );
  });

  test('parameters that the service refuses', async () => {
    const client = clientThatGets(
      refusal(400, 'VALIDATION_ERROR', 'Invalid configuration', { field: 'rule_config.pattern' }),
    );
    expect(
      await messageOf(() =>
        client.validity.create(assetId, {
          rule_type: 'REGEX',
          table_path: 'shop.sales.orders',
          column_name: 'email',
          rule_config: { pattern: '(' },
        }),
      ),
    ).toMatchInlineSnapshot(
      `"POST /api/v1/sdk/validity/a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11 → 400 VALIDATION_ERROR: Invalid configuration. See rule_config.pattern."`,
    );
  });

  test('too many requests', async () => {
    const client = clientThatGets(
      refusal(429, 'RATE_LIMITED', 'Rate limit exceeded', {}, { 'Retry-After': '7' }),
    );
    expect(await messageOf(() => client.metrics.list(assetId))).toMatchInlineSnapshot(
      `"GET /api/v1/sdk/metrics/a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11 → 429 RATE_LIMITED: Rate limit exceeded. Try again in 7 s."`,
    );
  });

  test('no freshness threshold', async () => {
    const client = clientThatGets(() => Response.json({ detail: 'not configured' }, { status: 422 }));
    expect(await messageOf(() => client.freshness.get(assetId))).toMatchInlineSnapshot(
      `"GET /api/v1/assets/a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11/freshness → 422 FRESHNESS_NOT_CONFIGURED: not configured"`,
    );
  });

  test('a service that fails after a POST', async () => {
    const client = clientThatGets(refusal(500, 'INTERNAL_ERROR', 'Something went wrong'));
    expect(await messageOf(() => client.validity.check(assetId, ruleId))).toMatchInlineSnapshot(
      `"POST /api/v1/sdk/validity/a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11/v_00000000-0000-4000-8000-000000000000/check → 500 INTERNAL_ERROR: Something went wrong. The request may have been processed; check before retrying."`,
    );
  });

  test('a page of HTML instead of JSON', async () => {
    const client = clientThatGets(
      () => new Response('<html><body>Log in</body></html>', { headers: { 'Content-Type': 'text/html' } }),
    );
    expect(await messageOf(() => client.validity.summary(assetId))).toMatchInlineSnapshot(
      `"GET /api/v1/sdk/validity/a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11/summary returned 200 with an unexpected body: expected JSON, got text/html: "<html><body>Log in</body></html>""`,
    );
  });

  test('fields of another type', async () => {
    const client = clientThatGets(() => Response.json({ data: { uuid: 7, name: [] } }));
    expect(await messageOf(() => client.validity.get(assetId, ruleId))).toMatchInlineSnapshot(
      `"GET /api/v1/sdk/validity/a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11/v_00000000-0000-4000-8000-000000000000 returned 200 with an unexpected body: data.uuid: expected string, got number; data.name: expected string, got array"`,
    );
  });

  test('a timeout', async () => {
    const client = clientThatGets(() => new Promise<Response>(() => undefined), { timeout: 50 });
    expect(await messageOf(() => client.validity.summary(assetId))).toMatchInlineSnapshot(
      `"GET /api/v1/sdk/validity/a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11/summary timed out after 50 ms (1 attempt)"`,
    );
  });

  test('a signal that aborts', async () => {
    const client = clientThatGets(() => Response.json({}));
    const signal = AbortSignal.abort();
    expect(await messageOf(() => client.validity.summary(assetId, { signal }))).toMatchInlineSnapshot(
      `"GET /api/v1/sdk/validity/a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11/summary was aborted by its signal (0 attempts)"`,
    );
  });

  test('a connection that is refused', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
    await new Promise((resolve) => server.close(resolve));
    const client = new DataQualityClient({
      apiKey: 'key',
      baseUrl: `http://127.0.0.1:${port}`,
      maxRetries: 0,
    });
    const message = await messageOf(() => client.validity.summary(assetId));
    expect(message.replaceAll(String(port), '<port>')).toMatchInlineSnapshot(
      `"GET /api/v1/sdk/validity/a3bb1898-2f3e-4b6d-9d2f-0c8f5b0a7e11/summary failed on the connection to 127.0.0.1:<port>: connect ECONNREFUSED 127.0.0.1:<port>"`,
    );
  });

  test('an option that does not exist', async () => {
    const options = { apiKey: 'key', baseUrl: 'https://dq.test', retries: 3 };
    expect(await messageOf(() => new DataQualityClient(options))).toMatchInlineSnapshot(
      `"Unknown option "retries". Valid options: apiKey, baseUrl, timeout, totalTimeout, maxRetries, retryDelay, maxRetryAfter, maxResponseSize, rateLimit, fetch, headers, hooks, logger, logLevel, responseValidation, dangerouslyAllowBrowser, allowInsecureHttp"`,
    );
  });

  test('no key', async () => {
    expect(
      await messageOf(() => new DataQualityClient({ baseUrl: 'https://dq.test' })),
    ).toMatchInlineSnapshot(
      `"apiKey: give this option or set the environment variable DATA_QUALITY_API_KEY"`,
    );
  });

  test('an id that is empty', async () => {
    const client = clientThatGets(() => Response.json({}));
    expect(await messageOf(() => client.validity.get(assetId, ''))).toMatchInlineSnapshot(
      `"validity.get: ruleId must not be empty"`,
    );
  });

  test('a query that is out of range', async () => {
    const client = clientThatGets(() => Response.json({}));
    expect(await messageOf(() => client.metrics.list(assetId, { limit: 0 }))).toMatchInlineSnapshot(
      `"metrics.list: limit must be at least 1"`,
    );
  });

  test('a misspelt field of a request', async () => {
    const client = clientThatGets(() => Response.json({}));
    const body = { rule_type: 'NOT_NULL', table_path: 'a.b.c', colum_name: 'email' } as never;
    expect(await messageOf(() => client.validity.create(assetId, body))).toMatchInlineSnapshot(
      `"validity.create: column_name is required; colum_name is not known"`,
    );
  });

  test('data that is stale', async () => {
    const fake = createFakeService();
    const client = new DataQualityClient(fake.clientOptions);
    fake.setFreshness(fake.asset.id, { data_age_minutes: 95 });
    const message = await messageOf(() =>
      client.freshness.requireFresh(fake.asset.id, { maxAgeMinutes: 90 }),
    );
    expect(message.replaceAll(fake.asset.id, '<asset>')).toMatchInlineSnapshot(
      `"Asset "warehouse.asset_1" is stale: last updated 95 minutes ago (maximum 90)."`,
    );
  });

  test('a gate that fails', async () => {
    expect(await gateOver({ invalid_count: 2 })).toMatchInlineSnapshot(
      `"Gate failed: every order has an email (NOT_NULL on shop.sales.orders.email): 2 of 10 rows are invalid (20.00 %)"`,
    );
  });

  test('a gate over a rule that cannot be evaluated', async () => {
    expect(await gateOver({ error_message: 'there is no column email' })).toMatchInlineSnapshot(
      `"Gate inconclusive: every order has an email (NOT_NULL on shop.sales.orders.email): the check ended with the status "error": there is no column email"`,
    );
  });

  test('a gate over an asset without rules', async () => {
    expect(await gateOver(undefined)).toMatchInlineSnapshot(
      `"Gate inconclusive: no active rule of asset <asset> was selected"`,
    );
  });

  test('a definition with a misspelt field', async () => {
    const text =
      'tables:\n  shop.sales.orders:\n    rules:\n      - rule_type: NOT_NULL\n        colum: email\n';
    expect(await messageOf(() => parseDefinition(text))).toMatchInlineSnapshot(
      `
      "the definition:
        tables.shop.sales.orders.rules.0.column_name is required (line 4, column 9)
        tables.shop.sales.orders.rules.0.colum is not known; did you mean "column_name" or "columns"? (line 5, column 9)"
    `,
    );
  });

  test('a delivery with a signature of another secret', async () => {
    const errors: unknown[] = [];
    const handle = createWebhookHandler({
      secret: 'secret',
      onAlert: () => undefined,
      onError: (error) => errors.push(error),
    });
    const headers = { 'Content-Type': 'application/json', 'X-Service-Signature': 'sha256=00' };
    const response = await handle(
      new Request('https://receiver.test', { method: 'POST', body: '{}', headers }),
    );
    expect([response.status, String(errors[0])]).toMatchInlineSnapshot(`
      [
        401,
        "WebhookVerificationError: Delivery refused: its signature does not match the secret.",
      ]
    `);
  });

  test('a delivery whose body was read before', async () => {
    const handle = createWebhookHandler({ secret: 'secret', onAlert: () => undefined });
    const request = new Request('https://receiver.test', { method: 'POST', body: '{}' });
    await request.text();
    expect(await messageOf(() => handle(request))).toMatchInlineSnapshot(
      `"The body was read before its signature was verified. Mount the webhook above express.json(), use express.raw({ type: '*/*' }), or pass request.clone()."`,
    );
  });
});
