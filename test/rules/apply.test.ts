import { InvalidRequestError } from 'data-quality-client';
import { apply, type ApplyEvent, ApplyError, hasChanges, plan } from 'data-quality-client/rules';
import { describe, expect, it } from 'vitest';

import { assetId, define, setUp, table } from './fake.ts';

const amount = {
  name: 'amount',
  rule_type: 'RANGE',
  column_name: 'amount',
  rule_config: { min: 0 },
} as const;
const percentile = (percentile_value: number) =>
  ({ metric_type: 'percentile', column_name: 'amount', percentile_value }) as const;
const presence = (column_name: string) => ({ rule_type: 'NOT_NULL', column_name }) as const;

describe('permissions', () => {
  it('deletes nothing without prune', async () => {
    const { client, writes } = setUp();
    await client.validity.create(assetId, { ...amount, table_path: table });
    await client.metrics.create(assetId, { metric_type: 'row_count', table_path: table });
    const before = writes().length;
    const changes = await plan(client, assetId, define({}));
    const { applied, skipped } = await apply(client, changes);
    expect([applied.length, skipped.length]).toEqual([0, 2]);
    expect(writes()).toHaveLength(before);
    await apply(client, changes, { replace: true });
    expect(writes()).toHaveLength(before);
    await apply(client, changes, { prune: true });
    expect(await client.validity.list(assetId).toArray()).toEqual([]);
    expect(await client.metrics.list(assetId).toArray()).toEqual([]);
  });

  it('replaces nothing without replace, and creates the new rule before it deletes the old one', async () => {
    const { client, writes } = setUp();
    const old = await client.validity.create(assetId, { ...amount, table_path: table });
    const changes = await plan(client, assetId, define({ rules: [{ ...amount, rule_config: { min: 1 } }] }));
    expect((await apply(client, changes, { prune: true })).skipped).toHaveLength(1);
    expect(writes()).toEqual(['POST']);
    await apply(client, changes, { replace: true });
    expect(writes()).toEqual(['POST', 'POST', 'DELETE']);
    const rules = await client.validity.list(assetId).toArray();
    expect(rules.map(({ uuid }) => uuid)).not.toContain(old.uuid);
    expect(rules).toHaveLength(1);
  });
});

describe('what apply returns', () => {
  it('is what it made and what it was not permitted to', async () => {
    const { client } = setUp();
    await client.validity.create(assetId, { ...amount, table_path: table });
    const changes = await plan(client, assetId, define({ rules: [presence('id')] }));
    expect(await apply(client, changes)).toMatchObject({
      applied: [{ action: 'create', label: 'NOT_NULL' }],
      skipped: [{ action: 'delete', label: 'amount' }],
      failed: [],
      pending: [],
    });
  });
});

describe('once and again', () => {
  it('creates nothing twice when the same plan is applied twice', async () => {
    const { client, writes } = setUp();
    const definition = define({
      rules: [amount, presence('id'), { ...presence('state'), is_active: false }],
      metrics: [
        { metric_type: 'percentile', column_name: 'amount', percentile_value: 50 },
        { metric_type: 'percentile', column_name: 'amount', percentile_value: 95 },
      ],
    });
    const changes = await plan(client, assetId, definition);
    await apply(client, changes);
    await apply(client, changes);
    expect(writes().filter((method) => method === 'POST')).toHaveLength(5);
    expect(hasChanges(await plan(client, assetId, definition))).toBe(false);
  });

  it('creates nothing twice when a plan that also updates is applied twice', async () => {
    const { client, writes } = setUp();
    await client.validity.create(assetId, { ...amount, table_path: table });
    const definition = define({ rules: [{ ...amount, severity: 'info' }, presence('id')] });
    const changes = await plan(client, assetId, definition);
    await apply(client, changes);
    await apply(client, changes);
    expect(writes().toSorted()).toEqual(['PATCH', 'PATCH', 'POST', 'POST']);
  });

  it('replaces nothing twice when the same plan is applied twice', async () => {
    const { client } = setUp();
    await client.validity.create(assetId, { ...amount, table_path: table });
    const changes = await plan(client, assetId, define({ rules: [{ ...amount, rule_config: { min: 1 } }] }));
    await apply(client, changes, { replace: true });
    await apply(client, changes, { replace: true });
    expect(await client.validity.list(assetId).toArray()).toHaveLength(1);
  });

  it('reads nothing before it deletes', async () => {
    const { fake, client } = setUp();
    await client.validity.create(assetId, { ...amount, table_path: table });
    const changes = await plan(client, assetId, define({}));
    const before = fake.requests.length;
    await apply(client, changes, { prune: true });
    expect(fake.requests.slice(before).map(({ method }) => method)).toEqual(['DELETE']);
  });

  it('updates a metric', async () => {
    const { client } = setUp();
    const metric = { metric_type: 'row_count' } as const;
    await client.metrics.create(assetId, { ...metric, table_path: table });
    const definition = define({ metrics: [{ ...metric, sensitivity: 3 }] });
    await apply(client, await plan(client, assetId, definition));
    expect(await client.metrics.list(assetId).toArray()).toMatchObject([{ sensitivity: 3 }]);
  });

  it('takes what is gone already for deleted', async () => {
    const { client } = setUp();
    const { uuid } = await client.validity.create(assetId, { ...amount, table_path: table });
    const changes = await plan(client, assetId, define({}));
    await client.validity.delete(assetId, uuid);
    expect((await apply(client, changes, { prune: true })).applied).toHaveLength(1);
  });
});

describe('what has appeared since the plan', () => {
  it.each([
    ['another type on the column', { metric_type: 'max_value', column_name: 'amount' }],
    ['the same type on another column', { metric_type: 'avg_value', column_name: 'total' }],
  ] as const)('does not take %s for the metric to create', async (_which, other) => {
    const { client } = setUp();
    const wanted = { metric_type: 'avg_value', column_name: 'amount' } as const;
    const changes = await plan(client, assetId, define({ metrics: [wanted] }));
    await client.metrics.create(assetId, { ...other, table_path: table });
    await apply(client, changes);
    expect(await client.metrics.list(assetId).toArray()).toMatchObject([other, wanted]);
  });

  it.each([
    ['another type on the column', { rule_type: 'UNIQUE', column_name: 'id' }],
    ['the same type on another column', { rule_type: 'NOT_NULL', column_name: 'total' }],
    ['one with a name', { rule_type: 'NOT_NULL', column_name: 'id', name: 'by hand' }],
  ] as const)('does not take %s for the rule to create', async (_which, other) => {
    const { client } = setUp();
    const changes = await plan(client, assetId, define({ rules: [presence('id')] }));
    await client.validity.create(assetId, { ...other, table_path: table });
    await apply(client, changes);
    expect(await client.validity.list(assetId).toArray()).toMatchObject([other, presence('id')]);
  });

  it('does not take a rule with another name, or on another table, for the one to create', async () => {
    const { client } = setUp();
    const wanted = { ...presence('id'), name: 'wanted' };
    const changes = await plan(client, assetId, define({ rules: [wanted] }));
    await client.validity.create(assetId, { ...wanted, name: 'other', table_path: table });
    await client.validity.create(assetId, { ...wanted, table_path: 'shop.sales.items' });
    await apply(client, changes);
    expect(await client.validity.list(assetId).toArray()).toHaveLength(3);
  });

  it('takes each metric once, and creates the others', async () => {
    const { client } = setUp();
    const definition = define({ metrics: [percentile(50), percentile(95)] });
    const changes = await plan(client, assetId, definition);
    await client.metrics.create(assetId, { ...percentile(50), table_path: table });
    await apply(client, changes);
    expect(await client.metrics.list(assetId).toArray()).toHaveLength(2);
  });

  it('takes a metric that is gone already for deleted', async () => {
    const { client } = setUp();
    const { id } = await client.metrics.create(assetId, { metric_type: 'row_count', table_path: table });
    const changes = await plan(client, assetId, define({}));
    await client.metrics.delete(assetId, id);
    expect((await apply(client, changes, { prune: true })).applied).toHaveLength(1);
  });
});

describe('options', () => {
  it.each([0, -1, 1.5, Number.NaN, Infinity])('refuses a concurrency of %d', async (concurrency) => {
    const { client } = setUp();
    await client.validity.create(assetId, { ...amount, table_path: table });
    await expect(plan(client, assetId, define({}), { concurrency })).rejects.toThrow(/concurrency/);
    const changes = await plan(client, assetId, define({}));
    await expect(apply(client, changes, { prune: true, concurrency })).rejects.toMatchObject({
      message: expect.stringContaining(
        `concurrency must be a whole number, 1 or more, not ${concurrency}`,
      ) as string,
      cause: expect.any(InvalidRequestError) as InvalidRequestError,
    });
    expect(await client.validity.list(assetId).toArray()).toHaveLength(1);
  });
});

describe('order', () => {
  it('creates metrics that only their order distinguishes one after the other', async () => {
    const { fake, client } = setUp();
    const changes = await plan(client, assetId, define({ metrics: [percentile(50), percentile(95)] }));
    let creating = 0;
    let most = 0;
    const watched = client.withOptions({
      fetch: async (input, init) => {
        if ((input instanceof Request ? input : init)?.method !== 'POST')
          return await fake.fetch(input, init);
        most = Math.max(most, ++creating);
        return await fake.fetch(input, init).finally(() => creating--);
      },
    });
    fake.failNext({ on: 'POST *', delayMs: 20 });
    await apply(watched, changes);
    expect(most).toBe(1);
  });

  it('deletes nothing whose successor was refused', async () => {
    const { fake, client } = setUp();
    await apply(client, await plan(client, assetId, define({ metrics: [percentile(50), percentile(95)] })));
    const changes = await plan(client, assetId, define({ metrics: [percentile(95)] }));
    fake.failNext({ on: 'POST *', status: 400, delayMs: 20 });
    const error = await apply(client, changes, { prune: true }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      applied: { failed: [{}], pending: [{ action: 'delete' }, { action: 'delete' }] },
    });
    expect(await client.metrics.list(assetId).toArray()).toHaveLength(2);
  });
});

describe('what goes wrong', () => {
  it('does not let a refusal keep the others from being made', async () => {
    const { client } = setUp();
    const broken = { rule_type: 'REGEX', column_name: 'email', rule_config: { pattern: '(' } } as const;
    const changes = await plan(client, assetId, define({ rules: [broken, amount, presence('id')] }));
    const events: ApplyEvent[] = [];
    const error = await apply(client, changes, { onProgress: (event) => events.push(event) }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ApplyError);
    expect(error).toMatchObject({
      code: 'APPLY_FAILED',
      cause: { code: 'VALIDATION_ERROR' },
      applied: {
        applied: [{ label: 'amount' }, { label: 'NOT_NULL' }],
        failed: [{ change: { body: broken } }],
        pending: [],
      },
    });
    expect(events.map(({ outcome }) => outcome).toSorted()).toEqual(['applied', 'applied', 'failed']);
    expect(events.at(-1)).toMatchObject({ done: 3, total: 3 });
  });

  it('keeps the old rule if the new one is refused', async () => {
    const { client } = setUp();
    const email = { name: 'email', rule_type: 'REGEX', column_name: 'email' } as const;
    await client.validity.create(assetId, { ...email, rule_config: { pattern: '@' }, table_path: table });
    const changes = await plan(
      client,
      assetId,
      define({ rules: [{ ...email, rule_config: { pattern: '(' } }] }),
    );
    await expect(apply(client, changes, { replace: true })).rejects.toThrow(ApplyError);
    expect(await client.validity.list(assetId).toArray()).toHaveLength(1);
  });

  it('ends at what concerns all: nothing more is begun', async () => {
    const { fake, client, writes } = setUp();
    const changes = await plan(client, assetId, define({ rules: ['a', 'b', 'c'].map(presence) }));
    fake.failNext({ on: 'POST *', status: 403 });
    const error = await apply(client, changes, { concurrency: 1 }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ cause: { code: 'FORBIDDEN' }, applied: { applied: [], failed: [] } });
    expect(error instanceof ApplyError && error.applied.pending).toHaveLength(3);
    expect(writes()).toEqual(['POST']);
  });

  it('ends at a deletion that fails', async () => {
    const { fake, client } = setUp();
    await client.validity.create(assetId, { ...amount, table_path: table });
    const changes = await plan(client, assetId, define({}));
    fake.failNext({ on: 'DELETE *', status: 403 });
    await expect(apply(client, changes, { prune: true })).rejects.toMatchObject({
      cause: { code: 'FORBIDDEN' },
      applied: { applied: [], failed: [], pending: [{ action: 'delete' }] },
    });
  });

  it('counts in its message what was made, what was refused, and what was to be made', async () => {
    const { client } = setUp();
    const broken = { rule_type: 'REGEX', column_name: 'email', rule_config: { pattern: '(' } } as const;
    const rules = [presence('a'), presence('b'), broken, presence('c')];
    const changes = await plan(client, assetId, define({ rules }));
    const controller = new AbortController();
    const applying = apply(client, changes, {
      concurrency: 1,
      signal: controller.signal,
      onProgress: ({ outcome }) => {
        if (outcome === 'failed') controller.abort(new Error('enough'));
      },
    });
    await expect(applying).rejects.toThrow(/^2 of 4 changes were made, 1 were refused: /);
  });

  it('ends when the signal aborts, saying what was done', async () => {
    const { fake, client } = setUp();
    const changes = await plan(client, assetId, define({ rules: ['a', 'b', 'c'].map(presence) }));
    const controller = new AbortController();
    const applying = apply(client, changes, {
      concurrency: 1,
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    });
    await expect(applying).rejects.toMatchObject({
      cause: { name: 'AbortError' },
      applied: { applied: [{}] },
    });
    expect(fake.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});
