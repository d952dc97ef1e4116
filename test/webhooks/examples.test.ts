import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { afterEach, expect, test, vi } from 'vitest';

import { POST } from '../../examples/webhook-next/app/alerts/route.ts';
import { alertBody, secret, signed } from './deliveries.ts';

const running: ChildProcess[] = [];
afterEach(async () => {
  for (const child of running.splice(0)) {
    child.kill();
    await once(child, 'exit');
  }
});

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

async function run(name: string): Promise<{ url: string; output: () => string }> {
  const child = spawn(
    process.execPath,
    ['--import', path('from-source.ts'), path(`../../examples/${name}`)],
    {
      env: { ...process.env, NODE_ENV: 'production', DATA_QUALITY_WEBHOOK_SECRET: secret, PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  running.push(child);
  let output = '';
  child.stdout.on('data', (text) => (output += String(text)));
  child.stderr.on('data', (text) => (output += String(text)));
  await vi.waitFor(() => expect(output).toContain('listening'), { timeout: 10_000 });
  return { url: `http://127.0.0.1:${/port: (\d+)/.exec(output)?.[1]}`, output: () => output };
}

const line = 'schema_change on shop.public.orders: Schema of orders https://service.test/alerts/1\n';

async function post(url: string, id: string): Promise<number> {
  const answer = await fetch(url, await signed(alertBody(id)));
  await answer.text();
  return answer.status;
}

test.each(['webhook-node-http.ts', 'webhook-hono.ts', 'webhook-express.ts'])('%s', async (name) => {
  const { url, output } = await run(name);
  expect(await post(`${url}/alerts`, 'a1')).toBe(200);
  expect(await post(`${url}/alerts`, 'a1')).toBe(200);
  expect((await fetch(`${url}/alerts`, { method: 'POST', body: alertBody('a2') })).status).toBe(401);
  expect((await fetch(`${url}/alerts`, await signed('x'.repeat(2_000_000)))).status).toBe(413);
  expect(output().split(line)).toHaveLength(2);
  await vi.waitFor(() => expect(output()).toContain('missing_signature'));
});

test('webhook-express.ts takes raw bytes, and says what to change about parsed ones', async () => {
  const { url, output } = await run('webhook-express.ts');
  expect(await post(`${url}/alerts-raw`, 'a1')).toBe(200);
  expect(await post(`${url}/alerts-parsed`, 'a2')).toBe(500);
  expect(output().split(line)).toHaveLength(2);
  await vi.waitFor(() => expect(output()).toContain('Mount the webhook above express.json()'));
});

test('webhook-next', async () => {
  vi.stubEnv('DATA_QUALITY_WEBHOOK_SECRET', secret);
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const answer = await POST(new Request('http://localhost/alerts', await signed(alertBody('a1'))));
  expect(answer.status).toBe(200);
  expect(log.mock.calls).toEqual([[line.trim()]]);
});
