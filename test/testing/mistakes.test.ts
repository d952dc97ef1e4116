import { DataQualityClient } from 'data-quality-client';
import { createFakeService, type Fault } from 'data-quality-client/testing';
import { afterEach, describe, expect, test } from 'vitest';

describe('refuses what could never happen:', () => {
  test.each([
    ['GTE /api/v1/sdk/validity/*', 'on "GTE /api/v1/sdk/validity/*" can match no request'],
    ['get /api/v1', 'on "get /api/v1" can match no request'],
    ['GET api/v1/sdk', 'on "GET api/v1/sdk" can match no request'],
    ['api/v1', 'on "api/v1" can match no request'],
    ['', 'on "" can match no request'],
  ])('a fault on %j', (on, message) => {
    expect(() => createFakeService().failNext({ on, status: 500 })).toThrow(`failNext: ${message}`);
  });

  test.each(['*', '/api/v1/*', 'GET *', '* /api/v1/sdk/validity/*', 'P* /api/*'])(
    'but not a fault on %j',
    (on) => {
      expect(() => createFakeService().failNext({ on, status: 500 })).not.toThrow();
    },
  );

  test.each<[object, string]>([
    [{ statsu: 500 }, 'unknown key "statsu". Valid keys: on, times'],
    [{ reset: true, Times: 2 }, 'unknown key "Times"'],
    [{ on: 'GET *' }, 'describes no fault'],
    [{ status: 99 }, 'status must be from 200 to 599, not 99'],
    [{ status: 500, times: 0 }, 'times must be at least 1, not 0'],
  ])('the fault %j', (fault, message) => {
    expect(() => createFakeService().failNext(fault as Fault)).toThrow(`failNext: ${message}`);
  });

  test('results, values and freshness of what is not there', () => {
    const fake = createFakeService();
    expect(() => fake.setCheckResult('v_none', {})).toThrow(
      'setCheckResult: the fake has no rule "v_none"; create it first.',
    );
    expect(() => fake.setMetricValue('m_none', 1)).toThrow('setMetricValue: the fake has no metric "m_none"');
    expect(() => fake.setFreshness('none', null)).toThrow('setFreshness: the fake has no asset "none"');
  });

  test('a fake without assets', () => {
    expect(() => createFakeService({ assets: [] })).toThrow('assets must name at least one asset');
  });
});

test('reports faults that were not used, or not as often as they should be', async () => {
  const fake = createFakeService();
  const client = new DataQualityClient(fake.clientOptions);
  expect(fake.unusedFaults()).toEqual([]);
  const twice = { on: 'GET *', status: 503, times: 2 };
  const never = { on: 'POST *', reset: true } as const;
  fake.failNext(twice);
  fake.failNext(never);
  await expect(client.validity.list(fake.asset.id, {}, { maxRetries: 0 })).rejects.toThrow('503');
  expect(fake.unusedFaults()).toEqual([twice, never]);
  await client.validity.list(fake.asset.id);
  expect(fake.unusedFaults()).toEqual([never]);
  fake.reset();
  expect(fake.unusedFaults()).toEqual([]);
});

test('freshness can be set by the name of the asset', async () => {
  const fake = createFakeService({ assets: [{ id: 'a1', name: 'shop.orders' }] });
  fake.setFreshness('shop.orders', { status: 'fresh' });
  const client = new DataQualityClient(fake.clientOptions);
  expect(await client.freshness.get(fake.asset.id)).toMatchObject({ status: 'fresh' });
});

describe('handlers if msw cannot be loaded', () => {
  const original = Object.getOwnPropertyDescriptor(process, 'getBuiltinModule') ?? {};
  afterEach(() => {
    Object.defineProperty(process, 'getBuiltinModule', original);
  });

  test.each([
    [
      'an edge runtime refuses to read getBuiltinModule',
      () => {
        throw new Error(
          'A Node.js API is used (process.getBuiltinModule) which is not supported in the Edge Runtime',
        );
      },
    ],
    [
      'a CommonJS bundle has no address to resolve from',
      () => () => ({
        createRequire: () => {
          throw new TypeError('The argument filename must be a file URL');
        },
      }),
    ],
  ])('name fake.fetch instead: %s', (_, get) => {
    Object.defineProperty(process, 'getBuiltinModule', { get, configurable: true });
    expect(() => createFakeService().handlers).toThrow('use fake.fetch instead');
  });
});
