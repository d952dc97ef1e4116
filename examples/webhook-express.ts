/** Receives alerts with Express, beside a body parser. Reads DATA_QUALITY_WEBHOOK_SECRET, and PORT (default 3000). */
import express from 'express';

import { createWebhookHandler, toNodeHandler } from 'data-quality-client/webhooks';

const handle = createWebhookHandler({
  secret: process.env['DATA_QUALITY_WEBHOOK_SECRET'] ?? '',
  onAlert({ alert, event, links }) {
    console.log(`${event.type} on ${event.asset.qualified_name}: ${alert.rule_name} ${links.alert_url}`);
  },
  onError: (error) => console.error(error),
});

const app = express();

// Above the body parser, because the signature is that of the bytes.
app.post('/alerts', toNodeHandler(handle));

// Or behind a parser that keeps the bytes.
app.post('/alerts-raw', express.raw({ type: '*/*' }), toNodeHandler(handle));

app.use(express.json());

// Too late: every delivery is refused with a WebhookVerificationError that says what to change.
app.post('/alerts-parsed', toNodeHandler(handle));

const server = app.listen(process.env['PORT'] ?? 3000, () => {
  console.log('listening', server.address());
});
