import { createServer } from 'node:http';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { serve, type Served } from '../support/served.ts';
import { hasTool } from '../support/tool.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };
const table = 'shop.main.orders';

describe.skipIf(!hasTool('chromium'))('the page in a browser', () => {
  let browser: Browser;
  let served: Served;
  let rule: string;

  beforeAll(async () => {
    served = await serve({
      'orders.csv': 'id,email\n1,a@x\n2,\n',
      'dq.json': JSON.stringify({
        assets: [{ freshness: { table, timestamp_column: 'id', threshold: '1h' } }],
      }),
    });
    rule = await served.createRule({
      rule_type: 'NOT_NULL',
      table_path: table,
      column_name: 'email',
      name: 'reachable',
    });
    await served.check('orders', { rule_type: 'NOT_NULL', column_name: 'id', name: 'known' });
    await served.capture('orders', { metric_type: 'row_count' });
    browser = await chromium.launch({
      executablePath: '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-sync',
      ],
    });
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await served[Symbol.asyncDispose]();
  });

  /** Opens the page by a link, as its reader does. */
  async function open(options: BrowserContextOptions = {}, scope?: 'read-only'): Promise<Page> {
    const context = await browser.newContext({ viewport: desktop, ...options });
    const page = await context.newPage();
    await page.goto(await served.service.createPageLink(scope));
    await page.waitForURL(`${served.service.url}/`);
    if (options.javaScriptEnabled !== false) await page.locator('#live', { hasText: /^Live$/ }).waitFor();
    return page;
  }

  const results = async (): Promise<number> => {
    const { body } = await served.call('GET', `/api/v1/sdk/validity/${served.assetId}/${rule}/results`);
    return (body.data as { items: unknown[] }).items.length;
  };

  test.each([
    { viewport: desktop, colorScheme: 'light' },
    { viewport: desktop, colorScheme: 'dark' },
    { viewport: phone, colorScheme: 'light' },
  ] as const)(
    '$viewport.width wide, $colorScheme: loads nothing else, has no message, is accessible, does not overflow',
    async (options) => {
      const context = await browser.newContext({ ...options, bypassCSP: true });
      const page = await context.newPage();
      const messages: string[] = [];
      const hosts = new Set<string>();
      page.on('console', (message) => messages.push(message.text()));
      page.on('pageerror', (error) => messages.push(error.message));
      page.on('request', (request) => hosts.add(new URL(request.url()).origin));
      await page.goto(await served.service.createPageLink());
      await page.waitForURL(`${served.service.url}/`);
      await page.locator('#live', { hasText: /^Live$/ }).waitFor();
      expect(messages).toEqual([]);
      expect([...hosts]).toEqual([served.service.url]);
      await page.evaluate(`for (const it of document.querySelectorAll('details')) it.open = true`);
      await page.evaluate(axe);
      expect(
        await page.evaluate(
          `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
        ),
      ).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      await context.close();
    },
    60_000,
  );

  test('runs under its policy, which lets nothing else run', async () => {
    const page = await open();
    await expect(page.addScriptTag({ content: 'document.title = "changed"' })).rejects.toThrow(
      /security policy/i,
    );
    await page.context().close();
  }, 60_000);

  test('shows a result as it comes in, and leaves what its reader opened, wrote and focused', async () => {
    const page = await open();
    await page.locator(`#rule-${rule} summary`).click();
    await page.fill('[name=text]', 'reachable');
    await served.checkAgain(rule);
    await expect.poll(async () => page.locator('h1').textContent(), { timeout: 15_000 }).toMatch(/fail/);
    await expect.poll(async () => page.locator(`#rule-${rule}`).getAttribute('data-status')).toBe('failed');
    expect(await page.locator(`#rule-${rule}`).getAttribute('open')).toBe('');
    expect(await page.inputValue('[name=text]')).toBe('reachable');
    expect(await page.evaluate('document.activeElement.name')).toBe('text');
    expect(await page.locator('.item:visible').count()).toBe(1);
    expect(await page.title()).toContain('fail');
    await page.fill('[name=text]', '');
    expect(await page.locator('.item:visible').count()).toBe(3);
    await page.context().close();
  }, 60_000);

  test('checks a rule at the press of a button, and shows the rows that break it', async () => {
    const page = await open();
    const before = await results();
    const item = page.locator(`#rule-${rule}`);
    await item.locator('summary').first().click();
    await item.getByRole('button', { name: 'Check now' }).click();
    await expect.poll(async () => item.textContent(), { timeout: 15_000 }).toContain('1 invalid row');
    expect(await results()).toBe(before + 1);
    expect(await item.getAttribute('open')).toBe('');
    await page.context().close();
  }, 60_000);

  test('reads without scripts, and its buttons work', async () => {
    const page = await open({ javaScriptEnabled: false });
    const before = await results();
    expect(await page.locator('h1').textContent()).toMatch(/checks?/);
    const item = page.locator(`#rule-${rule}`);
    if ((await item.getAttribute('open')) === null) await item.locator('summary').first().click();
    await item.getByRole('button', { name: 'Check now' }).click();
    await page.waitForURL(`${served.service.url}/#rule-${rule}`);
    expect(await results()).toBe(before + 1);
    await page.context().close();
  }, 60_000);

  test('has no button for who only reads', async () => {
    const page = await open({}, 'read-only');
    expect(await page.getByRole('button', { name: 'Check now' }).count()).toBe(0);
    expect(await page.getByText('Read-only').isVisible()).toBe(true);
    await page.context().close();
  }, 60_000);

  test.each(['localhost', '127.0.0.1'])(
    'a page of %s on another port can neither read it nor press a button, though its reader is signed in',
    async (name) => {
      const target = served.service.url;
      const hostile = `<!doctype html><title>hostile</title>
        <iframe src="${target}/" id="frame"></iframe>
        <form method="post" action="${target}/page/check" target="other"><input name="asset" value="${served.assetId}"><input name="subject" value="${rule}"></form>
        <iframe name="other"></iframe>`;
      const server = createServer((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'text/html' }).end(hostile);
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const page = await open();
      const before = await results();
      const other = await page.context().newPage();
      const framed = other.waitForResponse(`${target}/`);
      await other.goto(`http://${name}:${port}/`);
      expect((await framed).status()).toBe(403);
      const read = await other.evaluate(`Promise.all(['/', '/page/content', '/metrics'].map((path) =>
        fetch(${JSON.stringify(target)} + path, { credentials: 'include' }).then((it) => it.text(), () => 'refused')))`);
      expect(read).toEqual(['refused', 'refused', 'refused']);
      const responded = other.waitForResponse(`${target}/page/check`);
      await other.evaluate('document.forms[0].submit()');
      expect((await responded).status()).toBe(403);
      expect(await results()).toBe(before);
      await page.context().close();
      server.close();
    },
    60_000,
  );
});
