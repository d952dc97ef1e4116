import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { withHealth } from '../../src/server/health.ts';
import type { State } from '../../src/server/state.ts';
import { calm } from '../service/parts.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const never = async (): Promise<never> => new Promise(() => undefined);
const asset = { id: 'a', numericId: 1, name: 'shop' };

function stateThat(run: State['run']): State {
  return { isShared: true, run, transaction: never, close: never };
}

async function health(
  state: State,
  tables: () => Promise<readonly string[]> = async () => [],
): Promise<readonly [number, unknown]> {
  const service = withHealth(never, { state, evaluation: { ...calm, tables }, assets: [asset] });
  const responding = service(new Request('http://127.0.0.1/health'));
  await vi.advanceTimersByTimeAsync(5000);
  const response = await responding;
  return [response.status, await response.json()];
}

test('a state that does not respond within five seconds is unavailable', async () => {
  expect(await health(stateThat(never))).toEqual([
    503,
    { status: 'unavailable', state: 'unavailable', assets: [{ name: 'shop', status: 'ok' }] },
  ]);
});

test('data that cannot be listed within five seconds degrades the service and nothing more', async () => {
  expect(
    await health(
      stateThat(async () => []),
      never,
    ),
  ).toEqual([200, { status: 'degraded', state: 'ok', assets: [{ name: 'shop', status: 'unreadable' }] }]);
});
