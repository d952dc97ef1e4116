/**
 * Two handlers of AWS Lambda: a step of Step Functions that checks the data, and a function URL that receives alerts.
 * Reads DATA_QUALITY_BASE_URL, DATA_QUALITY_API_KEY and DATA_QUALITY_WEBHOOK_SECRET.
 */
import type { Handler, LambdaFunctionURLHandler } from 'aws-lambda';
import { DataQualityClient } from 'data-quality-client';
import { gate } from 'data-quality-client/gate';
import { createWebhookHandler } from 'data-quality-client/webhooks';
import type { WebhookHandler } from 'data-quality-client/webhooks';

// Made by the first call and kept as long as the instance lives.
let client: DataQualityClient | undefined;
let receive: WebhookHandler | undefined;

/** What the next state reads: `$.outcome` is passed, failed or inconclusive. */
export interface GateResult {
  readonly outcome: string;
  readonly reasons: readonly string[];
}

export const check: Handler<{ readonly assetId: string }, GateResult> = async ({ assetId }, context) => {
  client ??= new DataQualityClient();
  const { outcome, reasons } = await gate(client, assetId, {
    rules: true,
    freshness: true,
    sampleLimit: 0,
    // What is not done shortly before Lambda ends the call is inconclusive, and the result still arrives.
    timeout: Math.max(context.getRemainingTimeInMillis() - 2000, 1),
    throw: false,
  });
  return { outcome, reasons };
};

export const alerts: LambdaFunctionURLHandler = async (event) => {
  receive ??= createWebhookHandler({
    secret: process.env['DATA_QUALITY_WEBHOOK_SECRET'] ?? '',
    onAlert: ({ alert, event: { type, asset } }) =>
      console.log(JSON.stringify({ type, table: asset.qualified_name, rule: alert.rule_name })),
    onError: (error) => console.error(error),
  });
  const { method } = event.requestContext.http;
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const { status } = await receive(
    new Request(`https://${event.requestContext.domainName}${event.rawPath}`, {
      method,
      headers: Object.entries(event.headers).map(([name, value]): [string, string] => [name, value ?? '']),
      ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
    }),
  );
  return { statusCode: status };
};
