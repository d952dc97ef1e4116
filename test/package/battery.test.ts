// The part of `npm run test:runtimes` that takes seconds: the packed package in Node and in a browser.
import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startBatteryServer } from '../runtimes/battery-server.ts';
import { type InstalledTarball, installTarball } from '../support/tarball.ts';
import { hasTool } from '../support/tool.ts';

interface StepOutcome {
  readonly name: string;
  readonly ok: boolean;
  readonly message?: string;
}

let subject: InstalledTarball;
beforeAll(async () => {
  subject = await installTarball();
  await copyFile(
    resolve(import.meta.dirname, '../runtimes/battery.js'),
    join(subject.project, 'battery.mjs'),
  );
});
afterAll(async () => {
  await subject[Symbol.asyncDispose]();
});

test('the packed package passes the battery in Node', async () => {
  await using server = await startBatteryServer();
  const script = join(subject.project, 'run.mjs');
  await writeFile(
    script,
    `import { runBattery } from './battery.mjs';
     console.log(JSON.stringify(await runBattery(process.argv[2], { pathForUpload: process.argv[1] })));
     process.exit();`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [script, server.url]);
  const outcomes = JSON.parse(stdout) as readonly StepOutcome[];
  expect(outcomes.length).toBeGreaterThan(10);
  expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
});

test.skipIf(!hasTool('chromium'))('the packed package passes the battery in a browser', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { runBattery } from './battery.mjs';
        runBattery(location.origin).then((outcomes) => (document.title = JSON.stringify(outcomes)));`,
      resolveDir: subject.project,
    },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    external: ['node:*', 'msw'],
    logLevel: 'silent',
  });
  const code = outputFiles[0]?.text.replaceAll('</script', String.raw`<\/script`) ?? '';
  await using server = await startBatteryServer(
    `<!doctype html><meta charset="utf-8"><script>${code}</script>`,
  );
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  try {
    const tab = await browser.newPage();
    await tab.goto(server.url);
    await tab.waitForFunction("document.title.startsWith('[')");
    const outcomes = JSON.parse(await tab.title()) as readonly StepOutcome[];
    // Chromium itself sends a POST again when a kept-alive connection breaks, as the README says.
    const failed = outcomes.filter(({ name, ok }) => !ok && !name.startsWith('a POST'));
    expect(failed).toEqual([]);
  } finally {
    await browser.close();
  }
});
