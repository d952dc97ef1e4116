import { get } from 'node:http';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { FakeClock } from '../support/fake-clock.ts';
import { serve, type Served } from '../support/served.ts';
import { cookieOf, navigation, send } from './browser-request.ts';

let served: Served;
let url: string;
let rule: string;
let metric: string;

beforeAll(async () => {
  served = await serve({ 'orders.csv': 'id,email\n1,a@x\n2,\n' });
  ({ url } = served.service);
  const table = 'shop.main.orders';
  rule = await served.createRule({
    rule_type: 'NOT_NULL',
    table_path: table,
    column_name: 'email',
    name: 'reachable',
  });
  const path = `/api/v1/sdk/metrics/${served.assetId}`;
  const { body } = await served.call('POST', path, { metric_type: 'row_count', table_path: table });
  metric = String(body.data?.['id']);
});

afterAll(async () => served[Symbol.asyncDispose]());

/** Opens a link and returns the cookie of the session. */
async function signIn(scope?: 'read-only' | 'read-write'): Promise<string> {
  return cookieOf(await send('GET', await served.service.createPageLink(scope), navigation));
}

/** What the script and the forms of the page send. */
function fromPage(cookie: string): Record<string, string> {
  return {
    Cookie: cookie,
    Origin: url,
    'Sec-Fetch-Site': 'same-origin',
    'Content-Type': 'application/x-www-form-urlencoded',
  };
}

const begin = async (key: string) => send('POST', `${url}/page/sign-in`, fromPage(''), form({ key }));

const form = (fields: Readonly<Record<string, string>>) => String(new URLSearchParams(fields));

async function results(): Promise<number> {
  const { body } = await served.call('GET', `/api/v1/sdk/validity/${served.assetId}/${rule}/results`);
  return (body.data as { items: unknown[] }).items.length;
}

/** Whether a text has anything of the service in it. */
const secrets = () => [served.assetId, 'shop.main', 'reachable', rule, ...Object.values(served.service.keys)];

function expectNothing(body: string): void {
  for (const secret of secrets()) expect(body).not.toContain(secret);
}

describe('a link', () => {
  test('signs one browser in, and is of no use to whoever has it after that', async () => {
    const link = await served.service.createPageLink();
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/page\/open\?token=[\w-]{43}$/);
    const first = await send('GET', link, navigation);
    expect(first.status).toBe(200);
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(/^data-quality-[\da-f]{8}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ]);
    expect(first.headers['refresh']).toBe('0; url=/');
    const page = await send('GET', url, { ...navigation, Cookie: cookieOf(first) });
    expect(page.status).toBe(200);
    expect(page.body).toContain('reachable');

    const stolen = await send('GET', link, navigation);
    expect(stolen.status).toBe(403);
    expect(stolen.headers['set-cookie']).toBeUndefined();
    expectNothing(stolen.body);
  });

  test('is not used up by what only looks at it', async () => {
    const link = await served.service.createPageLink();
    expect((await send('HEAD', link, navigation)).status).toBe(403);
    const asImage = {
      'Sec-Fetch-Mode': 'no-cors',
      'Sec-Fetch-Dest': 'image',
      'Sec-Fetch-Site': 'cross-site',
    };
    expect((await send('GET', link, asImage)).status).toBe(403);
    expect((await send('GET', link, { ...navigation, Host: 'evil.example' })).status).toBe(403);
    expect((await send('GET', link, navigation)).status).toBe(200);
  });

  test('that was never made signs nobody in', async () => {
    for (const token of ['', 'x', 'a'.repeat(43)]) {
      const { status, headers } = await send('GET', `${url}/page/open?token=${token}`, navigation);
      expect(status).toBe(403);
      expect(headers['set-cookie']).toBeUndefined();
    }
  });
});

describe('strangers get nothing', () => {
  test('without a session there is only a form to sign in', async () => {
    for (const Cookie of ['', 'data-quality=x', cookieOf(await send('GET', url, navigation))]) {
      const { status, body } = await send('GET', url, { ...navigation, Cookie });
      expect(status).toBe(401);
      expectNothing(body);
    }
    for (const path of ['/page/content', '/page/changes', '/page/nothing']) {
      const { status, body } = await send('GET', url + path);
      expect(status).toBe(401);
      expectNothing(body);
    }
  });

  test.each(['evil.example', 'evil.example:4780', 'localhost.evil.example', '10.0.0.1'])(
    'by the host %s, with a session or without',
    async (Host) => {
      const cookie = await signIn();
      for (const Cookie of [cookie, '']) {
        for (const path of ['/', '/page/content', '/page/changes']) {
          const { status, body } = await send('GET', url + path, { ...navigation, Host, Cookie });
          expect(status).toBe(403);
          expectNothing(body);
        }
      }
      const before = await results();
      const fields = form({ asset: served.assetId, subject: rule });
      const headers = { ...fromPage(cookie), Host, Origin: `http://${Host}` };
      expect((await send('POST', `${url}/page/check`, headers, fields)).status).toBe(403);
      expect(await results()).toBe(before);
    },
  );

  test.each([
    ['another site', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
    ['another site in an old browser', { Origin: 'https://evil.example' }],
    ['another port of this machine', { Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' }],
    ['a sandboxed frame', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
    ['nobody knows where', {}],
  ])('a form sent by %s changes nothing, even with the cookie', async (_, headers) => {
    const cookie = await signIn();
    const before = await results();
    for (const action of ['check', 'capture', 'accept', 'sign-out', 'sign-in']) {
      const fields = form({ asset: served.assetId, subject: rule, key: served.service.keys.readWrite });
      const response = await send(
        'POST',
        `${url}/page/${action}`,
        { Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
        fields,
      );
      expect(response.status).toBe(403);
      expect(response.headers['set-cookie']).toBeUndefined();
    }
    expect(await results()).toBe(before);
    expect((await send('GET', url, { ...navigation, Cookie: cookie })).status).toBe(200);
  });

  test('a page of another site can neither read nor frame it', async () => {
    const Cookie = await signIn();
    const asFetch = {
      Cookie,
      'Sec-Fetch-Mode': 'cors',
      'Sec-Fetch-Dest': 'empty',
      'Sec-Fetch-Site': 'same-site',
    };
    for (const path of ['/', '/page/content', '/page/changes']) {
      const { status, body, headers } = await send('GET', url + path, {
        ...asFetch,
        Origin: 'http://127.0.0.1:1',
      });
      expect(status).toBe(403);
      expectNothing(body);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
    const asScript = { Cookie, 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script' };
    for (const site of ['same-site', 'cross-site']) {
      const { status, body } = await send('GET', `${url}/page/content`, {
        ...asScript,
        'Sec-Fetch-Site': site,
      });
      expect(status).toBe(403);
      expectNothing(body);
    }
    const framed = { Cookie, ...navigation, 'Sec-Fetch-Dest': 'iframe' };
    expectNothing((await send('GET', url, framed)).body);
    const { headers } = await send('GET', url, { ...navigation, Cookie });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'sha256-\S+ 'sha256-\S+; style-src 'sha256-\S+ 'sha256-\S+; base-uri 'none'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    });
  });
});

// In this order: the page remembers the rows of what was checked by a form.
describe('a session', { shuffle: false }, () => {
  test('is not sent to a command line for the rows of a check that it can repeat itself', async () => {
    const cookie = await signIn();
    await served.call('POST', `/api/v1/sdk/validity/${served.assetId}/${rule}/check`);
    const page = await send('GET', url, { ...navigation, Cookie: cookie });
    expect(page.body).toContain('No rows are at hand');
    expect(page.body).not.toContain('dq report');
  });

  test('checks a rule and captures a metric by a form, and leads back to it', async () => {
    const cookie = await signIn();
    const before = await results();
    const back = `/?asset=${served.assetId}#rule-${rule}`;
    const fields = { asset: served.assetId, subject: rule, back };
    const checked = await send('POST', `${url}/page/check`, fromPage(cookie), form(fields));
    expect(checked).toMatchObject({ status: 303, headers: { location: back } });
    expect(await results()).toBe(before + 1);
    const page = await send('GET', url, { ...navigation, Cookie: cookie });
    expect(page.body).toContain('1 of 2 checks fails');
    // The rows that broke the rule, which only a check returns.
    expect(page.body).toMatch(/<table>[\s\S]*Row/i);

    const captured = await send(
      'POST',
      `${url}/page/capture`,
      fromPage(cookie),
      form({ asset: served.assetId, subject: metric, back: 'https://evil.example/' }),
    );
    expect(captured).toMatchObject({ status: 303, headers: { location: '/' } });
    const fragment = await send('GET', `${url}/page/content`, fromPage(cookie));
    expect(fragment.body).toMatch(/^<div id="page" data-title="[^"]+">/);
    expect(fragment.body).toContain(`id="metric-${metric}"`);
    expect(fragment.body).toContain('Capture now');
  });

  test('that only reads has no buttons, and the service refuses what it sends all the same', async () => {
    const cookie = await signIn('read-only');
    const page = await send('GET', url, { ...navigation, Cookie: cookie });
    expect(page.status).toBe(200);
    expect(page.body).toContain('Read-only');
    expect(page.body).not.toContain('Check now');
    const before = await results();
    for (const [action, subject] of [
      ['check', rule],
      ['capture', metric],
      ['accept', metric],
    ] as const) {
      const fields = form({ asset: served.assetId, subject });
      const response = await send('POST', `${url}/page/${action}`, fromPage(cookie), fields);
      expect(response.status).toBe(403);
    }
    expect(await results()).toBe(before);
  });

  test('begins with a key, in its scope, and not with another word', async () => {
    const { readOnly, admin } = served.service.keys;
    const wrong = await begin('not-a-key');
    expect(wrong.status).toBe(401);
    expect(wrong.headers['set-cookie']).toBeUndefined();
    for (const [key, hasButtons] of [
      [readOnly, false],
      [admin, true],
    ] as const) {
      const { body } = await send('GET', url, { ...navigation, Cookie: cookieOf(await begin(key)) });
      expect(body.includes('Check now')).toBe(hasButtons);
    }
  });

  test('ends when its user signs out', async () => {
    const Cookie = await signIn();
    const out = await send('POST', `${url}/page/sign-out`, fromPage(Cookie));
    expect(out.headers['set-cookie']?.[0]).toContain('Max-Age=0');
    expect((await send('GET', url, { ...navigation, Cookie })).status).toBe(401);
  });

  test('shows one table of one asset, and what is not there not at all', async () => {
    const Cookie = await signIn();
    await served.createRule({
      rule_type: 'NOT_NULL',
      table_path: 'shop.main.other',
      column_name: 'x',
      name: 'elsewhere',
    });
    const show = async (query: Readonly<Record<string, string>>) => {
      const { status, body } = await send('GET', `${url}/?${form(query)}`, { ...navigation, Cookie });
      expect(status).toBe(200);
      return body;
    };
    const table = await show({ asset: served.assetId, table: 'shop.main.orders' });
    expect(table).toContain('reachable');
    expect(table).not.toContain('elsewhere');
    expect(table).toContain('<title>Data quality of shop.main.orders');
    const unknown = await show({ asset: '"><script>alert(1)</script>' });
    expect(unknown).toContain('Nothing was checked');
    expect(unknown).not.toContain('<script>alert');
  });

  test('refuses a form that is too large', async () => {
    const cookie = await signIn();
    const large = await send('POST', `${url}/page/check`, fromPage(cookie), `asset=${'x'.repeat(20_000)}`);
    expect(large.status).toBe(413);
  });
});

test('a new level of a metric is accepted by its button', async () => {
  const clock = new FakeClock();
  await using shop = await serve({ 'orders.csv': 'id\n' }, { clock });
  const base = `/api/v1/sdk/metrics/${shop.assetId}`;
  const created = await shop.call('POST', base, { metric_type: 'row_count', table_path: 'shop.main.orders' });
  const id = String(created.body.data?.['id']);
  // Its schedule would capture beside the test.
  await shop.call('PATCH', `${base}/${id}`, { is_active: false });
  for (const count of [100, 101, 99, 100, 102, 100, 50]) {
    clock.advance(86_400_000);
    await shop.folder.write('orders.csv', `id\n${'1\n'.repeat(count)}`);
    await shop.call('POST', `${base}/${id}/capture`);
  }
  await shop.call('PATCH', `${base}/${id}`, { is_active: true });
  const cookie = cookieOf(await send('GET', await shop.service.createPageLink(), navigation));
  const headers = { ...fromPage(cookie), Origin: shop.service.url };
  const content = async () => (await send('GET', `${shop.service.url}/page/content`, headers)).body;
  expect(await content()).toContain('Accept as normal');
  const fields = form({ asset: shop.assetId, subject: id, back: `/#metric-${id}` });
  const accepted = await send('POST', `${shop.service.url}/page/accept`, headers, fields);
  expect(accepted).toMatchObject({ status: 303, headers: { location: `/#metric-${id}` } });
  const { body } = await shop.call('GET', `${base}/${id}/snapshots?limit=1`);
  expect(body.data).toMatchObject({ items: [{ value: 50, accepted: true }] });
  expect(await content()).not.toContain('Accept as normal');
  const unknown = form({ asset: shop.assetId, subject: 'm_unknown' });
  const refused = await send('POST', `${shop.service.url}/page/accept`, headers, unknown);
  expect(refused.status).toBe(404);
  expect(refused.body).toContain('METRIC_NOT_FOUND');
});

describe('changes', () => {
  test('reach an open page as they happen', async () => {
    const cookie = await signIn();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const { promise: changed, resolve: change, reject } = Promise.withResolvers<void>();
    const request = get(`${url}/page/changes`, { headers: fromPage(cookie), agent: false }, (response) => {
      expect(response.headers['content-type']).toBe('text/event-stream');
      response.setEncoding('utf8').on('data', (chunk: string) => {
        if (chunk.includes('event: open')) open();
        if (chunk.includes('event: change')) change();
      });
      response.on('error', () => undefined);
    });
    request.on('error', reject);
    await opened;
    await served.checkAgain(rule);
    await changed;
    request.on('error', () => undefined).destroy();
  });

  test('end with the service, which closes without waiting for open pages', async () => {
    await using other = await serve({ 'a.csv': 'a\n1\n' });
    const link = await other.service.createPageLink();
    const cookie = cookieOf(await send('GET', link, navigation));
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    get(`${other.service.url}/page/changes`, { headers: { Cookie: cookie }, agent: false }, (response) => {
      response
        .once('data', () => open())
        .once('end', () => end())
        .resume();
    });
    await opened;
    await expect(Promise.all([ended, other.service.close()])).resolves.toHaveLength(2);
  });
});
