import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test, vi } from 'vitest';

import { cookieOf, navigation, send } from '../page/browser-request.ts';
import { startDq } from '../support/dq.ts';
import { testFolder } from '../support/test-folder.ts';

function dataFolder(): string {
  const folder = join(mkdtempSync(join(testFolder, 'dq-page-')), 'shop');
  mkdirSync(folder);
  writeFileSync(join(folder, 'orders.csv'), 'id\n1\n');
  return folder;
}

test('dq serve prints a link to its page, which opens once', async () => {
  const service = startDq(['serve', dataFolder(), '--port', '0', '--json']);
  const { url, page } = JSON.parse(await service.says('\n')) as { url: string; page: string };
  expect(page).toMatch(new RegExp(`^${url}/page/open\\?token=[\\w-]{43}$`));
  const Cookie = cookieOf(await send('GET', page, navigation));
  const { status, body } = await send('GET', url, { ...navigation, Cookie });
  expect(status).toBe(200);
  expect(body).toContain('Nothing was checked');
  expect((await send('GET', page, navigation)).status).toBe(403);
  service.interrupt();
  expect((await service.ended).code).toBe(0);
}, 60_000);

test.skipIf(process.platform !== 'linux')(
  'dq serve --open opens the page by a link of its own',
  async () => {
    const folder = dataFolder();
    const opened = join(folder, '..', 'opened');
    const opener = join(folder, '..', 'xdg-open');
    writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`);
    chmodSync(opener, 0o755);
    const path = `${join(folder, '..')}:${process.env['PATH'] ?? ''}`;
    const service = startDq(['serve', folder, '--port', '0', '--open'], { env: { PATH: path } });
    const text = await service.says('Ctrl-C');
    await vi.waitFor(
      () => expect(existsSync(opened) && readFileSync(opened, 'utf8')).toMatch(/\/page\/open\?token=/),
      10_000,
    );
    const link = readFileSync(opened, 'utf8');
    expect(text).toContain('Page, for one browser, once');
    expect(text).not.toContain(link);
    expect((await send('GET', link, navigation)).status).toBe(200);
    service.interrupt();
    await service.ended;
  },
  60_000,
);
