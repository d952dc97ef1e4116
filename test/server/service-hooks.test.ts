import { describe, expect, test } from 'vitest';

import type { HandledRequest, HandledResponse, ServiceHooks } from 'data-quality-client/local';

import { withServiceHooks } from '../../src/server/service-hooks.ts';
import type { Service } from '../../src/service/service.ts';

const request = () =>
  new Request('http://dq.test/api/v1/x?token=s3cr3t', {
    headers: { Authorization: 'Bearer s3cr3t', Cookie: 'session=s3cr3t', traceparent: '00-1' },
  });

function observe(hooks: ServiceHooks, respond: Service = async () => Response.json({ data: 1 })) {
  const failures: unknown[] = [];
  let served = 0;
  const counted: Service = async (it) => {
    served += 1;
    return respond(it);
  };
  const service = withServiceHooks(counted, {
    hooks,
    routeOf: () => '/api/v1/{name}',
    onError: (error) => void failures.push(error),
  });
  return { service, failures, served: () => served };
}

describe('the hooks of a service', () => {
  test('see the method, the path without its query, and the headers without keys', async () => {
    const seen: HandledRequest[] = [];
    const { service } = observe({ aroundRequest: (it) => void seen.push(it) });
    await service(request());
    expect(seen).toMatchObject([{ method: 'GET', path: '/api/v1/x' }]);
    expect(Object.fromEntries(seen[0]?.headers ?? [])).toEqual({ traceparent: '00-1' });
  });

  test('see the status, the route and the duration of the response', async () => {
    const { promise, resolve } = Promise.withResolvers<HandledResponse>();
    const { service } = observe({ aroundRequest: async (_, handle) => resolve(await handle()) });
    await service(request());
    expect(await promise).toEqual({ status: 200, route: '/api/v1/{name}', durationMs: expect.any(Number) });
  });

  test('see 499 if the client left before the response', async () => {
    const { promise, resolve } = Promise.withResolvers<HandledResponse>();
    const { service } = observe({ aroundRequest: async (_, handle) => resolve(await handle()) });
    await service(new Request(request(), { signal: AbortSignal.abort() }));
    expect(await promise).toMatchObject({ status: 499 });
  });

  test.each<[string, ServiceHooks, unknown[]]>([
    ['do not handle the request', { aroundRequest: () => undefined }, []],
    [
      'handle it twice',
      {
        aroundRequest: async (_, handle) => {
          await handle();
          await handle();
        },
      },
      [],
    ],
    [
      'throw',
      {
        aroundRequest: () => {
          throw new Error('broken');
        },
      },
      [new Error('broken')],
    ],
    [
      'reject',
      {
        aroundRequest: async (_, handle) => {
          await handle();
          throw new Error('broken');
        },
      },
      [new Error('broken')],
    ],
    ['never end', { aroundRequest: async () => new Promise<never>(() => undefined) }, []],
  ])('that %s leave the response as it is', async (_, hooks, expected) => {
    const { service, failures, served } = observe(hooks);
    expect(await (await service(request())).json()).toEqual({ data: 1 });
    await expect.poll(() => failures).toEqual(expected);
    expect(served()).toBe(1);
  });

  test('that do not look at a failure leave none unhandled', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', note);
    const { service } = observe({ aroundRequest: (_, handle) => void handle() }, async () =>
      Promise.reject(new Error('cut off')),
    );
    await expect(service(request())).rejects.toThrow('cut off');
    await new Promise(setImmediate);
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});
