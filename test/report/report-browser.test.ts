import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { renderReport } from '../../src/report/render.ts';
import { hasTool } from '../support/tool.ts';
import { largeReport } from './large-report.ts';
import { testFolder } from '../support/test-folder.ts';

// Debian's browser: tests do not download one.
const executablePath = '/usr/bin/chromium';
const missing = !hasTool('chromium');

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

const reports = {
  small: largeReport({ rules: 10, metrics: 6 }),
  // Enough for every kind of element: accessibility takes seconds per hundred rules to check.
  medium: largeReport({ rules: 60, metrics: 12 }),
  large: largeReport({ rules: 240, metrics: 12 }),
};

describe.skipIf(missing)('the report in a browser', () => {
  let browser: Browser;
  const addresses = { small: '', medium: '', large: '' };

  beforeAll(async () => {
    const folder = mkdtempSync(join(testFolder, 'dq-report-'));
    for (const size of ['small', 'medium', 'large'] as const) {
      const file = join(folder, `${size}.html`);
      writeFileSync(file, renderReport(reports[size]));
      addresses[size] = pathToFileURL(file).href;
    }
    browser = await chromium.launch({
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  }, 60_000);

  afterAll(async () => browser?.close());

  async function open(size: keyof typeof addresses, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: desktop, ...options });
    const page = await context.newPage();
    await page.goto(addresses[size]);
    return page;
  }

  test.each([
    { size: 'small', viewport: desktop, colorScheme: 'light' },
    { size: 'medium', viewport: desktop, colorScheme: 'dark' },
    { size: 'small', viewport: phone, colorScheme: 'dark' },
    { size: 'medium', viewport: phone, colorScheme: 'light' },
  ] as const)(
    '$size, $viewport.width wide, $colorScheme: no request, no message, accessible, no overflow',
    async ({ size, viewport, colorScheme }) => {
      // The page forbids scripts but its own; only so can the test bring another.
      const context = await browser.newContext({ viewport, colorScheme, bypassCSP: true });
      const page = await context.newPage();
      const requests: string[] = [];
      const messages: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      page.on('console', (message) => messages.push(message.text()));
      page.on('pageerror', (error) => messages.push(error.message));

      await page.goto(addresses[size]);
      expect(requests).toEqual([addresses[size]]);
      expect(messages).toEqual([]);
      await page.evaluate(openSome);
      await page.evaluate(axe);
      expect(await page.evaluate(violations)).toEqual([]);
      expect(await page.evaluate(overflow)).toBe(0);
      await context.close();
    },
    60_000,
  );

  test.each(['DejaVu Sans', 'DejaVu Sans Condensed', 'DejaVu Serif'])(
    'cuts no label off in %s, nor lays one over another',
    async (font) => {
      for (const viewport of [desktop, phone]) {
        const page = await open('small', { viewport, bypassCSP: true });
        await page.addStyleTag({ content: `* { font-family: '${font}' !important; }` });
        await page.evaluate(openAll);
        expect(await page.evaluate(overflow)).toBe(0);
        expect(await page.evaluate(cutLabels)).toEqual([]);
        await page.context().close();
      }
    },
    60_000,
  );

  test('lays no control of the toolbar over another', async () => {
    for (const viewport of [desktop, phone]) {
      const page = await open('small', { viewport });
      expect(await page.evaluate(overlappingControls)).toEqual([]);
      await page.context().close();
    }
  }, 60_000);

  test('runs under its own policy, and nothing else does', async () => {
    const page = await open('small');
    expect(await page.locator('form.toolbar').isVisible()).toBe(true);
    await expect(page.addScriptTag({ content: 'document.title = "changed"' })).rejects.toThrow(
      /security policy/i,
    );
    await page.context().close();
  }, 60_000);

  test('is readable without scripts', async () => {
    const page = await open('large', { javaScriptEnabled: false });
    expect(await page.locator('form.toolbar').isVisible()).toBe(false);
    expect(await page.locator('h1').textContent()).toMatch(/^\d+ of \d+ checks fail$/);
    expect(await page.locator('.concerns a').first().isVisible()).toBe(true);
    const rule = page.locator('.rule').first();
    expect(await rule.locator('.plot').isVisible()).toBe(false);
    await rule.locator('summary').click();
    expect(await rule.locator('.plot').isVisible()).toBe(true);
    await page.context().close();
  }, 60_000);

  test('searches, filters, and shows every rule in one list', async () => {
    const page = await open('large');
    const count = page.locator('output');
    expect(await count.textContent()).toBe('252 of 252 checks');
    await page.selectOption('[name=status]', 'failed');
    const failing = reports.large.assets[0]?.rules.filter(({ outcome }) => outcome === 'failed').length;
    expect(await page.locator('.rule:visible').count()).toBe(failing);
    await page.click('[type=reset]');
    await expect.poll(async () => count.textContent()).toBe('252 of 252 checks');

    await page.selectOption('[name=view]', 'gravity');
    expect(await page.locator('#list .rule').count()).toBe(240);
    expect(await page.locator('#list .rule').first().getAttribute('data-status')).toBe('failed');
    await page.fill('[name=text]', 'customers COLUMN_239');
    expect(await count.textContent()).toBe('1 of 240 rules');
    await page.fill('[name=text]', 'no such thing');
    expect(await page.locator('#nothing').isVisible()).toBe(true);
    await page.fill('[name=text]', '');
    await page.selectOption('[name=view]', 'table');
    expect(await page.locator('#list .rule').count()).toBe(0);
    expect(await page.locator('.table .rule').count()).toBe(240);
    await page.context().close();
  }, 60_000);

  test('opens what a link leads to, filtered away or not', async () => {
    const page = await open('large');
    await page.fill('[name=text]', 'rule 7: customers');
    await page.locator('.concerns a[href^="#rule"]').first().click();
    await expect.poll(async () => page.evaluate('document.querySelector(location.hash).open')).toBe(true);
    expect(await page.evaluate('document.querySelector(location.hash).checkVisibility()')).toBe(true);
    await page.context().close();
  }, 60_000);

  test('is operated by keyboard alone', async () => {
    const page = await open('small');
    const focused = async (): Promise<unknown> => page.evaluate('document.activeElement.textContent.trim()');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Freshness');

    await page.locator('.rule summary').first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('.rule').first().getAttribute('open')).toBe('');
    await page.locator('.rule .plot').first().focus();
    await page.keyboard.press('End');
    const tip = page.locator('.tip');
    expect(await tip.textContent()).toMatch(/^2026-11-01 00:00[\d.]+\u{a0}%, [\d,]+ rowsfailed$/u);
    await page.keyboard.press('ArrowLeft');
    expect(await tip.textContent()).toMatch(/^2026-10-31/);
    await page.keyboard.press('Escape');
    expect(await tip.isVisible()).toBe(false);
    await page.context().close();
  }, 60_000);

  test('shows the value and the expected band under the pointer', async () => {
    const page = await open('small');
    await page.locator('.metric .plot').first().hover();
    expect(await page.locator('.tip').textContent()).toMatch(
      /^20\d\d-\d\d-\d\d 00:00[\d,.]+.*expected [\d,.]+ to [\d,.]+/,
    );
    await page.context().close();
  }, 60_000);

  test('of 240 rules opens what needs attention, and fits on a few screens', async () => {
    const page = await open('large');
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(6000);
    const small = await open('large', { viewport: phone });
    expect(await small.evaluate('document.documentElement.scrollHeight')).toBeLessThan(9000);
    for (const each of [page, small]) expect(await each.evaluate(overflow)).toBe(0);
    await page.context().close();
    await small.context().close();
  }, 60_000);

  test('dark and print take other colours than light, and print leaves the controls out', async () => {
    const colors: unknown[] = [];
    for (const [colorScheme, media] of [
      ['light', 'screen'],
      ['dark', 'screen'],
      ['dark', 'print'],
    ] as const) {
      const page = await browser.newPage();
      await page.emulateMedia({ colorScheme, media });
      await page.goto(addresses.small);
      const line = `getComputedStyle(document.querySelector('.metrics .line')).stroke`;
      colors.push(await page.evaluate(`[getComputedStyle(document.body).backgroundColor, ${line}]`));
      expect(await page.locator('form.toolbar').isVisible()).toBe(media === 'screen');
      expect(await page.evaluate(overflow)).toBe(0);
      await page.close();
    }
    const [light, dark, print] = colors;
    expect(dark).not.toEqual(light);
    expect(print).toEqual(light);
  }, 60_000);
});

// The following run in the page.

const violations = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`;

const overflow = 'document.documentElement.scrollWidth - window.innerWidth';

const openAll = `for (const it of document.querySelectorAll('details')) it.open = true`;

/** Every table, and some rules and metrics of each. */
const openSome = `for (const it of document.querySelectorAll('.table, .table .rule:first-of-type, .plain')) it.open = true`;

/** Labels of axes that are wider than their place, leave the page, or lie over one another. */
const cutLabels = `(() => {
  const found = [];
  for (const chart of document.querySelectorAll('.chart')) {
    const labels = [...chart.querySelectorAll('.y span, .x span')].map((it) => ({ text: it.textContent, box: it.getBoundingClientRect(), wide: it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).display !== 'inline' }));
    const frame = chart.parentElement.getBoundingClientRect();
    const plot = chart.querySelector('.plot').getBoundingClientRect();
    for (const [at, { text, box, wide }] of labels.entries()) {
      if (box.width === 0 || wide || box.left < frame.left || box.right > frame.right + 0.5) found.push('cut: ' + text);
      if (box.right > plot.left + 0.5 && box.bottom < plot.bottom - 2) found.push('over the plot: ' + text);
      for (const other of labels.slice(at + 1)) if (box.left < other.box.right && other.box.left < box.right && box.top < other.box.bottom - 1 && other.box.top < box.bottom - 1) found.push('overlap: ' + text + ', ' + other.text);
    }
  }
  for (const text of document.querySelectorAll('.lineage text')) {
    const box = text.getBBox();
    const rect = text.parentElement.querySelector('rect').getBBox();
    if (box.x + box.width > rect.x + rect.width) found.push('out of its box: ' + text.textContent);
  }
  return found;
})()`;

const overlappingControls = `(() => {
  const controls = [...document.querySelectorAll('.toolbar input, .toolbar select, .toolbar button, .toolbar output')].map((it) => ({ name: it.name || it.textContent, box: it.getBoundingClientRect() }));
  return controls.flatMap(({ name, box }, at) => controls.slice(at + 1).filter(({ box: other }) => box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom).map((other) => name + ', ' + other.name));
})()`;
