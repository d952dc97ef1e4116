import { afterAll, beforeAll, expect, test } from 'vitest';

import { callTool, serveMcp, table } from './served-mcp.ts';

let subject: Awaited<ReturnType<typeof serveMcp>>;
beforeAll(async () => {
  subject = await serveMcp();
}, 60_000);
afterAll(async () => {
  await subject[Symbol.asyncDispose]();
});

const reachable = {
  rule_type: 'REGEX',
  table_path: table,
  column_name: 'email',
  rule_config: { pattern: '@' },
};

test('a server that only reads offers no tool that writes', async () => {
  await using reading = await serveMcp({ mcp: { readOnly: true } });
  const client = await reading.connect();
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(10);
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
  await expect(callTool(client, 'validity_create', reachable)).rejects.toThrow('validity_create');
  const { messages } = await client.getPrompt({ name: 'monitor_table', arguments: { table_path: table } });
  expect(JSON.stringify(messages)).not.toContain('validity_create');
  expect(client.getInstructions()).toContain('This server only reads');
});

test.each([
  { samples: 'none', asked: undefined, shown: null },
  {
    samples: 'masked',
    asked: undefined,
    shown: { samples: [{ row_id: 1, value: 'xxxxxx' }, { value: null }] },
  },
  {
    samples: 'full',
    asked: undefined,
    shown: { samples: [{ row_id: 1, value: 'xxxxxx' }, { value: null }] },
  },
  { samples: 'full', asked: 'full', shown: { samples: [{ row_id: 1, value: 'nobody' }, { value: null }] } },
] as const)(
  'samples are shown as $shown to a call for $asked if the user allows $samples',
  async ({ samples, asked, shown }) => {
    await using limited = await serveMcp({ mcp: { samples } });
    const client = await limited.connect();
    const { value: rule } = await callTool(client, 'validity_create', reachable);
    const checked = await callTool(client, 'validity_check', { rule_id: rule['uuid'], samples: asked });
    expect(checked.value).toMatchObject({ invalid_count: 2, invalid_samples: shown });
    const gated = await callTool(client, 'gate', { samples: asked });
    expect(gated.value).toMatchObject({ checks: [{ samples: shown === null ? [] : shown.samples }] });
    expect(gated.text.includes('nobody')).toBe(asked === 'full');
  },
);

test('a call cannot see more of samples than the user allows', async () => {
  const client = await subject.connect();
  for (const name of ['gate', 'validity_check']) {
    const { isError, text } = await callTool(client, name, { rule_id: 'v_1', samples: 'full' });
    expect(isError).toBe(true);
    expect(text).toContain('samples: must be one of none, masked');
  }
});

test.each([
  {
    name: 'validity_get',
    input: { rule_id: 'v_none' },
    code: 'RULE_NOT_FOUND',
    hint: 'Take the uuid of a rule from validity_list.',
  },
  {
    name: 'metrics_get',
    input: { metric_id: 'm_none' },
    code: 'METRIC_NOT_FOUND',
    hint: 'Take the id of a metric from metrics_list.',
  },
  {
    name: 'validity_summary',
    input: { asset_id: 'none' },
    code: 'ASSET_NOT_FOUND',
    hint: 'Ask the user for the UUID',
  },
  { name: 'validity_get', input: {}, code: 'rule_id:', hint: '' },
  {
    name: 'validity_create',
    input: { ...reachable, rule_type: 'RANGE', rule_config: { mn: 1 } },
    code: 'rule_config.mn is not known',
    hint: 'Nothing was sent. Correct the input',
  },
])('$name with a wrong input is an error with what to do: $code', async ({ name, input, code, hint }) => {
  const { isError, text } = await callTool(await subject.connect(), name, input);
  expect(isError).toBe(true);
  expect(text).toContain(code);
  expect(text).toContain(hint);
});

test('a list has pages that go on where the one before ended', async () => {
  const client = await subject.connect();
  for (let at = 0; at < 25; at++) {
    await callTool(client, 'validity_create', {
      rule_type: 'NOT_NULL',
      table_path: table,
      column_name: `c${at}`,
    });
  }
  const first = await callTool(client, 'validity_list');
  expect(first.value).toMatchObject({ total: 25, has_more: true, next_offset: 20 });
  const second = await callTool(client, 'validity_list', { offset: first.value['next_offset'] });
  expect(second.value).toMatchObject({ total: 25, has_more: false });
  expect(second.value).not.toHaveProperty('next_offset');
  const columns = [first, second].flatMap(({ value }) =>
    (value['items'] as readonly { readonly column_name: string }[]).map(({ column_name }) => column_name),
  );
  expect(new Set(columns).size).toBe(25);
});

test('a page that is too large for a context is cut, and the next one begins where it was cut', async () => {
  const client = await subject.connect();
  const long = { rule_type: 'NOT_NULL', table_path: table, name: 'n'.repeat(4000) };
  for (let at = 0; at < 8; at++) {
    await callTool(client, 'validity_create', { ...long, column_name: `long${at}` });
  }
  const { value, text } = await callTool(client, 'validity_list', { limit: 100, offset: 25 });
  expect(text.length).toBeLessThan(22_000);
  expect(value).toMatchObject({
    has_more: true,
    next_offset: 29,
    note: 'Cut off to keep the result small: items: 4 of 8 items. Call again with offset set to next_offset.',
  });
  expect(value['items']).toHaveLength(4);
});

test('the gate reports its progress to a caller who asks for it', async () => {
  const client = await subject.connect();
  const seen: unknown[] = [];
  await client.callTool(
    { name: 'gate', arguments: { rule_types: ['NOT_NULL'] } },
    { onprogress: (progress) => seen.push(progress) },
  );
  expect(seen.length).toBeGreaterThan(1);
  const { value } = await callTool(client, 'validity_list', { rule_type: 'NOT_NULL', limit: 1 });
  expect(seen.at(-1)).toMatchObject({ progress: value['total'], total: value['total'] });
});

test('health and reports of an asset are resources', async () => {
  await using healthy = await serveMcp({
    files: {
      'orders.csv': 'id,day\n1,2026-01-01\n',
      'dq.json': JSON.stringify({
        assets: [{ name: 'shop', freshness: { table, timestamp_column: 'day', threshold: '24h' } }],
      }),
    },
  });
  const client = await healthy.connect();
  await callTool(client, 'validity_create', {
    rule_type: 'NOT_NULL',
    table_path: table,
    column_name: 'id',
    name: '# known\n\n## Rules (0)',
  });
  await callTool(client, 'metrics_create', { metric_type: 'row_count', table_path: table });
  await callTool(client, 'gate', { capture_metrics: true });
  const { resources } = await client.listResources();
  const read = async (name: string): Promise<string> => {
    const { uri = '' } = resources.find((resource) => resource.name === name) ?? {};
    const { contents } = await client.readResource({ uri });
    const [content] = contents;
    return content !== undefined && 'text' in content ? content.text : '';
  };
  expect(JSON.parse(await read('health'))).toMatchObject({
    asset_id: healthy.assetId,
    rules: { total_rules: 1, passing: 1 },
    metrics: { total_metrics: 1 },
    freshness: { status: 'stale', outcome: 'failed' },
  });
  const report = await read('report');
  expect(report).toContain('# Data quality: failed');
  expect(report).toMatch(
    /^- passed \(warning\): # known ## Rules \(0\) on shop\.main\.orders\.id, 1 row.* valid \[v_/m,
  );
  expect(report).toMatch(/^- passed: row_count on shop\.main\.orders, 1 \[m_/m);
  expect(report).toContain('failed: the data is stale');
  expect(await read('report.html')).toMatch(/^<!doctype html>/i);
  expect((await callTool(client, 'freshness_get')).value).toMatchObject({ status: 'stale' });
  expect((await callTool(client, 'freshness_overview')).value).toMatchObject({ success: true });
  await expect(client.readResource({ uri: 'data-quality://assets/none/health' })).rejects.toThrow(
    'ASSET_NOT_FOUND',
  );
});

test('prompts name the rule, the table and the tools in their order', async () => {
  const client = await subject.connect();
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(['investigate_failing_rule', 'monitor_table']);
  const { tools } = await client.listTools();
  const names = new Set(tools.map(({ name }) => name));
  for (const [name, input] of [
    ['investigate_failing_rule', { rule_id: 'v_1' }],
    ['monitor_table', { table_path: table }],
  ] as const) {
    const text = JSON.stringify(await client.getPrompt({ name, arguments: input }));
    expect(text).toContain(Object.values(input)[0]);
    expect(text).toContain(subject.assetId);
    const mentioned = text.match(/\b(?:validity|metrics|freshness|rules|tables)_[a-z]+/g) ?? [];
    expect(mentioned.length).toBeGreaterThan(4);
    expect(mentioned.filter((tool) => !names.has(tool))).toEqual([]);
  }
});

test('without a default asset, every tool asks for one', async () => {
  await using bare = await serveMcp({ mcp: { asset: undefined } });
  const client = await bare.connect();
  const { tools } = await client.listTools();
  const optional = tools.filter(({ inputSchema: { required = [] } }) => !required.includes('asset_id'));
  expect(optional.map(({ name }) => name)).toEqual(['assets_list']);
  expect((await callTool(client, 'validity_summary', { asset_id: bare.assetId })).isError).toBe(false);
  expect((await client.listResources()).resources).toEqual([]);
});
