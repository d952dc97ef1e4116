/** Receives alerts with Node's own server. Reads DATA_QUALITY_WEBHOOK_SECRET, and PORT (default 3000). */
import { createServer } from 'node:http';

import { createWebhookHandler, toNodeHandler } from 'data-quality-client/webhooks';

const handle = createWebhookHandler({
  secret: process.env['DATA_QUALITY_WEBHOOK_SECRET'] ?? '',
  onAlert({ alert, event, links }) {
    console.log(`${event.type} on ${event.asset.qualified_name}: ${alert.rule_name} ${links.alert_url}`);
  },
  onError: (error) => console.error(error),
});

const server = createServer(toNodeHandler(handle)).listen(process.env['PORT'] ?? 3000, () => {
  console.log('listening', server.address());
});
