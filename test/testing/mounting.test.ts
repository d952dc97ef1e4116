import { createFakeService } from 'data-quality-client/testing';
import { expect, test, vi } from 'vitest';

const fake = createFakeService();
const headers = { Authorization: `Bearer ${fake.keys.readOnly}` };
const url = `${fake.baseUrl}/api/v1/sdk/validity/${String(fake.assets[0]?.id)}`;

test('fetch takes what the real one takes', async () => {
  for (const answer of [
    await fake.fetch(url, { headers }),
    await fake.fetch(new URL(url), { headers }),
    await fake.fetch(new Request(url, { headers })),
  ]) {
    expect(answer.status).toBe(200);
  }
});

test('fetch reaches nothing but the fake', async () => {
  await expect(fake.fetch('https://elsewhere.test/')).rejects.toThrow(TypeError);
});

test('fetch ends with its signal', async () => {
  await expect(fake.fetch(url, { headers, signal: AbortSignal.abort('enough') })).rejects.toBe('enough');
  const controller = new AbortController();
  fake.failNext({ delayMs: 60_000 });
  const pending = fake.fetch(url, { headers, signal: controller.signal });
  controller.abort('enough');
  await expect(pending).rejects.toBe('enough');
});

test('a delay that is given up keeps no timer', async () => {
  vi.useFakeTimers();
  try {
    const controller = new AbortController();
    fake.failNext({ delayMs: 60_000 });
    const pending = fake.fetch(url, { headers, signal: controller.signal });
    await vi.waitUntil(() => vi.getTimerCount() === 1);
    controller.abort('enough');
    await expect(pending).rejects.toBe('enough');
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('without msw only the handlers are missing, and the error says what to install', async () => {
  const missing = Object.assign(new Error("Cannot find module 'msw'"), { code: 'MODULE_NOT_FOUND' });
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue({
    createRequire: () => () => {
      throw missing;
    },
  });
  const alone = createFakeService();
  expect(() => alone.handlers).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('npm install --save-dev msw') as unknown,
      cause: missing,
    }),
  );
  expect((await alone.fetch(url, { headers })).status).toBe(200);
});

test('the same handlers are handed out each time', () => {
  expect(fake.handlers).toBe(fake.handlers);
});
