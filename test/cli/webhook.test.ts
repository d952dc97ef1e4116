import { expect, test } from 'vitest';

import { dq, startDq } from '../support/dq.ts';

const env = { DATA_QUALITY_WEBHOOK_SECRET: 'a-shared-secret' };

test('what send signs, listen prints; another signature it refuses', async () => {
  const listener = startDq(['webhook', 'listen', '--port', '0', '--json'], { env });
  await listener.says('Listening on');
  const url = await addressOf(listener);
  const sent = await dq(['webhook', 'send', url, '--type', 'freshness_violation'], { env });
  expect(sent).toMatchObject({ code: 0 });
  expect(sent.stdout).toMatch(/^Delivered: .* responded with 200/);
  await listener.says('freshness_violation');

  const forged = await dq(['webhook', 'send', url, '--secret', 'another', '--json'], { env });
  expect(forged).toMatchObject({ code: 6 });
  expect(JSON.parse(forged.stdout)).toMatchObject({ delivered: false, status: 401 });

  listener.interrupt();
  const { code, stdout, stderr } = await listener.ended;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    event_type: 'alert.triggered',
    event: { type: 'freshness_violation' },
  });
  expect(stderr).toContain('Delivery refused:');
  expect(stderr).toContain('1 alert received.');
  expect(stdout + stderr).not.toContain(env.DATA_QUALITY_WEBHOOK_SECRET);
});

test('listen takes deliveries that only a bearer token vouches for, and refuses others', async () => {
  const listener = startDq(['webhook', 'listen', '--port', '0', '--bearer', 'token', '--json']);
  const url = await addressOf(listener);
  const deliver = async (token: string) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{"alert":{"id":"a1"}}',
    });
    return response.status;
  };
  expect(await deliver('token')).toBe(200);
  expect(await deliver('other')).toBe(401);
  listener.interrupt();
  expect(await listener.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('"a1"') as unknown });
  const both = ['webhook', 'listen', '--bearer', 'a', '--api-key', 'b'];
  expect(await dq(both)).toMatchObject({ code: 2 });
});

test.each([
  { why: 'no secret', args: ['http://127.0.0.1:1/'], env: {}, code: 2 },
  { why: 'no URL', args: ['nowhere'], env, code: 2 },
  { why: 'plain http to another machine', args: ['http://hooks.example/'], env, code: 2 },
  { why: 'no such payload', args: ['http://127.0.0.1:1/', '--payload', 'none.json'], env, code: 2 },
  { why: 'nobody listens', args: ['http://127.0.0.1:1/'], env, code: 6 },
])('send with $why → $code', async ({ args, env: given, code }) => {
  expect(await dq(['webhook', 'send', ...args], { env: given })).toMatchObject({ code, stdout: '' });
});

async function addressOf(listener: ReturnType<typeof startDq>): Promise<string> {
  await listener.says('Ctrl-C ends');
  return /http:\S+\d/.exec(listener.messages())?.[0] ?? '';
}
