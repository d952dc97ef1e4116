/** Receives alerts with Hono, as on Workers, Deno and Bun. Reads DATA_QUALITY_WEBHOOK_SECRET, and PORT (default 3000). */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

import { createWebhookHandler } from 'data-quality-client/webhooks';

const handle = createWebhookHandler({
  secret: process.env['DATA_QUALITY_WEBHOOK_SECRET'] ?? '',
  onAlert({ alert, event, links }) {
    console.log(`${event.type} on ${event.asset.qualified_name}: ${alert.rule_name} ${links.alert_url}`);
  },
  onError: (error) => console.error(error),
});

const app = new Hono();
app.post('/alerts', (context) => handle(context.req.raw));

serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000) }, (address) => {
  console.log('listening', address);
});
