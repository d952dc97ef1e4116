/**
 * Alerts as messages in Slack: those of a few seconds in one message, grouped by table, with what has recovered. The
 * blocks are plain JSON, so this needs no package of Slack: post them to an incoming webhook.
 */
import type { AlertEvent } from 'data-quality-client/webhooks';

/** The blocks that a message consists of; a subset of those of `@slack/types`. */
export type Block =
  | { readonly type: 'header'; readonly text: { readonly type: 'plain_text'; readonly text: string } }
  | { readonly type: 'section'; readonly text: { readonly type: 'mrkdwn'; readonly text: string } }
  | { readonly type: 'context'; readonly elements: { readonly type: 'mrkdwn'; readonly text: string }[] };

/** A message; `text` is what notifications and screen readers use. */
export interface SlackMessage {
  readonly text: string;
  readonly blocks: Block[];
}

/** Slack accepts 50 blocks of a message, and 3000 characters of a section; the header and the rest take two. */
const mostTables = 48;
const longestSection = 3000;

/** Writes alerts as one message: a section per table, those with open alerts first. */
export function toSlackMessage(alerts: readonly AlertEvent[]): SlackMessage {
  const byTable = Map.groupBy(latestPerSubject(alerts), ({ event }) => event.asset.qualified_name);
  const tables = [...byTable].toSorted(([, one], [, other]) => countOpen(other) - countOpen(one));
  const open = tables.filter(([, ofTable]) => countOpen(ofTable) > 0).length;
  const recovered = tables.length - open;
  const title = [
    ...(open > 0 ? [`${open} ${open === 1 ? 'table has' : 'tables have'} a problem`] : []),
    ...(recovered > 0 ? [`${recovered} ${recovered === 1 ? 'table has' : 'tables have'} recovered`] : []),
  ].join(', ');
  const hidden = tables.length - mostTables;
  return {
    text: title,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: title } },
      ...tables.slice(0, mostTables).map(([table, ofTable]): Block => ({
        type: 'section',
        text: { type: 'mrkdwn', text: shorten([`*${escape(table)}*`, ...ofTable.map(describe)]) },
      })),
      ...(hidden > 0
        ? [{ type: 'context' as const, elements: [{ type: 'mrkdwn' as const, text: `and ${hidden} more` }] }]
        : []),
    ],
  };
}

/**
 * Collects alerts for `delayMs` and posts them as one message. Each promise settles when the message with its alert was
 * posted, so an `onAlert` that returns it makes the service deliver again what Slack did not take.
 *
 * @example
 * const handle = createWebhookHandler({ secret, onAlert: createSlackNotifier(process.env['SLACK_WEBHOOK_URL'] ?? '') });
 */
export function createSlackNotifier(webhookUrl: string, { delayMs = 2000, fetch = globalThis.fetch } = {}) {
  let waiting: AlertEvent[] = [];
  let posted: Promise<void> | undefined;
  const post = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const alerts = waiting;
    waiting = [];
    posted = undefined;
    const response = await fetch(webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(toSlackMessage(alerts)),
    });
    if (!response.ok) throw new Error(`Slack responded with ${response.status}.`);
  };
  return async (alert: AlertEvent): Promise<void> => {
    waiting.push(alert);
    posted ??= post();
    return posted;
  };
}

/** A rule that failed and passed again within one message has recovered: of several alerts, the newest counts. */
function latestPerSubject(alerts: readonly AlertEvent[]): AlertEvent[] {
  const byTime = alerts.toSorted((one, other) => one.alert.created_at.localeCompare(other.alert.created_at));
  return [...new Map(byTime.map((alert) => [subjectOf(alert), alert])).values()];
}

function subjectOf({ alert, event }: AlertEvent): string {
  const { rule_id: rule, metric_id: metric } = event.details;
  return JSON.stringify([event.asset.qualified_name, rule ?? metric ?? [event.type, alert.rule_name]]);
}

function countOpen(alerts: readonly AlertEvent[]): number {
  return alerts.filter(({ alert }) => alert.status !== 'resolved').length;
}

function describe({ alert, event, links }: AlertEvent): string {
  const { severity, invalid_count: invalid, total_rows: total, value } = event.details;
  const sign =
    alert.status === 'resolved'
      ? ':white_check_mark:'
      : severity === 'critical'
        ? ':red_circle:'
        : ':warning:';
  const name = escape(alert.rule_name || event.type);
  const address = URL.parse(links.alert_url);
  const linked = /^https?:$/.test(address?.protocol ?? '') ? `<${address?.href}|${name}>` : name;
  const measured =
    typeof invalid === 'number' && typeof total === 'number'
      ? `: ${invalid} of ${total} rows are invalid`
      : typeof value === 'number'
        ? `: ${value}`
        : '';
  return `${sign} ${linked} ${escape(event.type.replaceAll('_', ' '))}${measured}`;
}

/** Cut between lines, so that no link is cut. */
function shorten(lines: readonly string[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > longestSection - 20) return [...kept, `and ${lines.length - kept.length} more`].join('\n');
    kept.push(line);
  }
  return kept.join('\n');
}

/** What Slack reads as a link, a mention or an entity; a bar would end the address of a link. */
function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('|', '¦');
}
