// Receives alerts: a secret, a signature, a delivery.

export { parseAlert } from './alert-event.ts';
export type { Alert, AlertAsset, AlertCause, AlertEvent, AlertLinks, AlertPayload } from './alert-event.ts';
export type { WebhookAuth } from './credentials.ts';
export type { Dedupe } from './dedupe.ts';
export { createWebhookHandler } from './handler.ts';
export type { WebhookHandler, WebhookHandlerOptions } from './handler.ts';
export { createMemoryDedupe } from './memory-dedupe.ts';
export { toNodeHandler } from './node-handler.ts';
export type { NodeHandler, NodeRequest, NodeResponse } from './node-handler.ts';
export { createRedisDedupe } from './redis-dedupe.ts';
export type { IoRedisClient, NodeRedisClient, RedisClient } from '../redis.ts';
export { signPayload, verifySignature } from './signature.ts';
export { WebhookVerificationError, type WebhookVerificationReason } from './verification-error.ts';
