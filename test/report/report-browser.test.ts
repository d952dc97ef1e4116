import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { renderReport } from '../../src/report/render.ts';
import { hasTool } from '../support/tool.ts';
import { largeReport } from './large-report.ts';

// Debian's browser: tests do not download one.
const executablePath = '/usr/bin/chromium';
const missing = !hasTool('chromium');

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const views = [
  { name: 'light', viewport: { width: 1200, height: 900 }, colorScheme: 'light' },
  { name: 'dark', viewport: { width: 1200, height: 900 }, colorScheme: 'dark' },
  { name: 'phone', viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
] as const;

describe.skipIf(missing)('the report in a browser', () => {
  let browser: Browser;
  let address: string;

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dq-report-'));
    const file = join(folder, 'report.html');
    const report = largeReport();
    // Enough to see every kind of element, and not minutes of accessibility checks.
    writeFileSync(
      file,
      renderReport({ ...report, rules: report.rules.slice(0, 40), metrics: report.metrics.slice(0, 12) }),
    );
    address = pathToFileURL(file).href;
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

  test.each(views)(
    '$name: no request, no message, accessible, nothing cut off',
    async ({ viewport, colorScheme }) => {
      // The page forbids scripts; only so can the test bring its own.
      const context = await browser.newContext({ viewport, colorScheme, bypassCSP: true });
      const page = await context.newPage();
      const requests: string[] = [];
      const messages: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      page.on('console', (message) => messages.push(message.text()));
      page.on('pageerror', (error) => messages.push(error.message));

      await page.goto(address);
      expect(requests).toEqual([address]);
      expect(messages).toEqual([]);
      await page.evaluate(axe);
      expect(await page.evaluate(violations)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);

      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
      await context.close();
    },
    60_000,
  );

  test('dark and print take other colours than light', async () => {
    const colors: unknown[] = [];
    for (const [colorScheme, media] of [
      ['light', 'screen'],
      ['dark', 'screen'],
      ['dark', 'print'],
    ] as const) {
      const page = await browser.newPage();
      await page.emulateMedia({ colorScheme, media });
      await page.goto(address);
      const svg = `getComputedStyle(document.querySelector('.metrics svg g path')).stroke`;
      colors.push(await page.evaluate(`[getComputedStyle(document.body).backgroundColor, ${svg}]`));
      await page.close();
    }
    const [light, dark, print] = colors;
    expect(dark).not.toEqual(light);
    expect(print).toEqual(light);
  }, 60_000);
});

/** Runs in the page. */
const violations = `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`;
