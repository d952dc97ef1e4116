/** Receives alerts with a route handler of Next.js, at /alerts. Reads DATA_QUALITY_WEBHOOK_SECRET. */
import { createWebhookHandler } from 'data-quality-client/webhooks';
import type { WebhookHandler } from 'data-quality-client/webhooks';

let handler: WebhookHandler | undefined;

export const POST = (request: Request): Promise<Response> => {
  // Made on the first request: `next build` loads this file where the secret is not set.
  handler ??= createWebhookHandler({
    secret: process.env['DATA_QUALITY_WEBHOOK_SECRET'] ?? '',
    onAlert({ alert, event, links }) {
      console.log(`${event.type} on ${event.asset.qualified_name}: ${alert.rule_name} ${links.alert_url}`);
    },
    onError: (error) => console.error(error),
  });
  return handler(request);
};
