import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';

import HealthPage from '../health-next/app/health/[asset]/page.tsx';
import { createServed } from './served.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

async function createPage() {
  const served = await createServed();
  served.install({
    env: (name, value) => vi.stubEnv(name, value),
    fetch: (value) => vi.stubGlobal('fetch', value),
  });
  const render = async (asset = served.assetId): Promise<string> =>
    renderToStaticMarkup(await HealthPage({ params: Promise.resolve({ asset }) }));
  const check = async (): Promise<void> => {
    for await (const rule of served.client.validity.list(served.assetId)) {
      await served.client.validity.check(served.assetId, rule.uuid);
    }
  };
  return { ...served, render, check };
}

test('the page shows the newest result of each rule and the freshness, and checks nothing', async () => {
  const { fake, assetId, render, check, fail } = await createPage();
  fake.setFreshness(assetId, { status: 'fresh', data_age_minutes: 5 });
  expect(await render()).toContain('not checked yet');
  await check();
  expect(await render()).toContain('<p>No rule fails; the data is fresh</p>');
  fail();
  await check();
  fake.setFreshness(assetId, { status: 'stale', data_age_minutes: 5000 });
  const before = fake.requests.length;
  const page = await render();
  expect(page).toContain('<p>1 of 1 rules fail; the data is not fresh</p>');
  expect(page).toContain('<td>email is known</td><td>failed: 1 of 10 rows');
  expect(fake.requests.slice(before).every(({ method }) => method === 'GET')).toBe(true);
});

test('the page works without freshness, and an asset that does not exist has none', async () => {
  const { fake, assetId, render } = await createPage();
  fake.setFreshness(assetId, null);
  expect(await render()).toContain('<p>No rule fails</p>');
  await expect(render('5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0aff')).rejects.toThrow(
    'NEXT_HTTP_ERROR_FALLBACK;404',
  );
});
