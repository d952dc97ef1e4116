import { createWebhookHandler, parseAlert } from 'data-quality-client/webhooks';
import type { AlertEvent } from 'data-quality-client/webhooks';
import { afterEach, expect, test, vi } from 'vitest';

import { createSlackNotifier, toSlackMessage } from '../../examples/orchestrators/slack-alerts.ts';
import { secret, signed } from '../webhooks/deliveries.ts';

interface Given {
  readonly table?: string;
  readonly name?: string;
  readonly type?: string;
  readonly status?: string;
  readonly at?: string;
  readonly details?: object;
  readonly url?: string;
}

function alertOf({
  table = 'shop.sales.orders',
  name = 'email is known',
  type = 'validity_failure',
  status = 'triggered',
  at = '2026-11-21T05:00:00Z',
  details = {},
  url = 'https://service.test/alerts/1',
}: Given): AlertEvent {
  return parseAlert({
    event_type: `alert.${status}`,
    alert: { id: `${name}-${at}`, rule_name: name, alert_type: 'validity', status, created_at: at },
    event: { type, asset: { qualified_name: table, asset_type: 'table' }, details },
    links: { alert_url: url, asset_url: '' },
  });
}

const recovery = { type: 'validity_recovery', status: 'resolved', at: '2026-11-21T05:00:09Z' };

const sections = (alerts: readonly AlertEvent[]): string[] =>
  toSlackMessage(alerts).blocks.flatMap((block) => (block.type === 'section' ? block.text.text : []));

afterEach(() => void vi.useRealTimers());

test('alerts of a table are one section, tables with problems come before those that recovered', () => {
  const message = toSlackMessage([
    alertOf({ table: 'shop.sales.carts', ...recovery }),
    alertOf({ details: { rule_id: 'v_1', severity: 'critical', invalid_count: 2, total_rows: 9 } }),
    alertOf({
      name: 'row_count',
      type: 'metric_anomaly',
      details: { metric_id: 'm_1', value: 12 },
      url: 'https://service.test/alerts/2',
    }),
  ]);
  expect(message).toEqual({
    text: '1 table has a problem, 1 table has recovered',
    blocks: [
      {
        type: 'header',
        text: { type: 'plain_text', text: '1 table has a problem, 1 table has recovered' },
      },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: [
            '*shop.sales.orders*',
            ':red_circle: <https://service.test/alerts/1|email is known> validity failure: 2 of 9 rows are invalid',
            ':warning: <https://service.test/alerts/2|row_count> metric anomaly: 12',
          ].join('\n'),
        },
      },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: '*shop.sales.carts*\n:white_check_mark: <https://service.test/alerts/1|email is known> validity recovery',
        },
      },
    ],
  });
});

test('a rule that failed and recovered within one message has recovered, in whatever order the alerts came', () => {
  const details = { rule_id: 'v_1' };
  const failed = alertOf({ details });
  const recovered = alertOf({ ...recovery, details });
  for (const alerts of [
    [failed, recovered],
    [recovered, failed],
  ]) {
    expect(toSlackMessage(alerts).text).toBe('1 table has recovered');
    expect(sections(alerts)).toEqual([expect.not.stringContaining('validity failure')]);
  }
  const other = alertOf({ ...recovery, details: { rule_id: 'v_2' } });
  expect(toSlackMessage([failed, other]).text).toBe('1 table has a problem');
});

test('names can neither mention everyone nor become links, and what is not an address of the web is left out', () => {
  const [text = ''] = sections([
    alertOf({ table: '<!channel>', name: '<https://evil.test|click> & go', url: 'javascript:alert(1)' }),
  ]);
  expect(text).toBe(
    '*&lt;!channel&gt;*\n:warning: &lt;https://evil.test¦click&gt; &amp; go validity failure',
  );
});

test('a message keeps to the limits of Slack: 50 blocks, 3000 characters a section', () => {
  const tables = Array.from({ length: 60 }, (_, index) => alertOf({ table: `shop.sales.t${index}` }));
  const { blocks } = toSlackMessage(tables);
  expect(blocks).toHaveLength(50);
  expect(blocks.at(-1)).toEqual({ type: 'context', elements: [{ type: 'mrkdwn', text: 'and 12 more' }] });

  const rules = Array.from({ length: 60 }, (_, index) =>
    alertOf({ name: `rule ${index} ${'x'.repeat(80)}` }),
  );
  const [text = ''] = sections(rules);
  expect(text.length).toBeLessThanOrEqual(3000);
  expect(text).toMatch(/\nand \d+ more$/);
});

/** Takes messages as Slack does, with the status that a test sets. */
function createSlack() {
  const posted: string[] = [];
  const slack = {
    posted,
    status: 200,
    fetch: async (_url: unknown, init?: RequestInit): Promise<Response> => {
      if (typeof init?.body === 'string') posted.push(init.body);
      return new Response(null, { status: slack.status });
    },
  };
  return slack;
}

test('alerts that come together are posted together, later ones in a message of their own', async () => {
  vi.useFakeTimers();
  const { posted, fetch } = createSlack();
  const notify = createSlackNotifier('https://hooks.slack.test/services/1', { fetch });
  const together = Promise.all([notify(alertOf({ name: 'one' })), notify(alertOf({ name: 'two' }))]);
  expect(posted).toEqual([]);
  await vi.advanceTimersByTimeAsync(2000);
  await together;
  expect(posted).toEqual([expect.stringMatching(/\|one>.*\|two>/)]);
  const later = notify(alertOf({ name: 'three' }));
  await vi.advanceTimersByTimeAsync(2000);
  await later;
  expect(posted).toHaveLength(2);
  expect(posted[1]).not.toContain('|one>');
});

test('an alert that Slack did not take is delivered again', async () => {
  const slack = createSlack();
  const handle = createWebhookHandler({
    secret,
    onAlert: createSlackNotifier('https://hooks.slack.test/services/1', { delayMs: 1, fetch: slack.fetch }),
  });
  const deliver = async (): Promise<number> => {
    const init = await signed(JSON.stringify(alertOf({})));
    return (await handle(new Request('https://receiver.test/alerts', init))).status;
  };
  slack.status = 503;
  expect(await deliver()).toBe(500);
  slack.status = 200;
  expect(await deliver()).toBe(200);
  expect(slack.posted).toHaveLength(2);
});
