import { ConfigurationError } from '../errors.ts';
import { WebhookVerificationError, type WebhookVerificationReason } from './verification-error.ts';
import { parseAlert } from './alert-event.ts';
import type { AlertEvent } from './alert-event.ts';
import { alreadyParsed, readBody } from './body.ts';
import { createCredentialCheck } from './credentials.ts';
import type { WebhookAuth } from './credentials.ts';
import { createClaims } from './dedupe.ts';
import type { Dedupe } from './dedupe.ts';
import { createMemoryDedupe } from './memory-dedupe.ts';
import { assertPositiveIntegers } from './positive-integers.ts';
import { secretsOf, signatureHeader, verifySignature } from './signature.ts';

/** How deliveries are received. */
export interface WebhookHandlerOptions {
  /** The shared secret; several while one is being replaced. */
  readonly secret: string | readonly string[];
  /** Called once for each alert; when it throws or rejects, the service delivers the alert again. */
  readonly onAlert: (alert: AlertEvent) => unknown;
  /** Credentials that the destination was configured to send; default none. */
  readonly auth?: WebhookAuth;
  /** Where handled alerts are remembered; default in memory, see {@link createMemoryDedupe}. */
  readonly dedupe?: Dedupe;
  /** How long a handled alert is remembered, in ms; default 7 days. Within it, a captured delivery can't be replayed. */
  readonly dedupeTtl?: number;
  /**
   * The longest that `onAlert` may take, in ms; default 5 minutes. Once it is over, the receiver counts as dead, and
   * another one that shares the store may handle the alert.
   */
  readonly handlingTimeout?: number;
  /** The longest body, in bytes; default 1 MiB. */
  readonly maxBytes?: number;
  /**
   * Answers 202 before `onAlert` has run; default off. It is for an `onAlert` that needs more than the 5 seconds the
   * service advises. The price: the service counts the alert as delivered, so one that fails, or that a crash ends,
   * is not delivered again. Where the platform stops what an answer leaves behind, give its `waitUntil`.
   */
  readonly answerFirst?: boolean | ((work: Promise<void>) => void);
  /**
   * Told why a delivery was not accepted: what `onAlert` or the store threw, or a {@link WebhookVerificationError}.
   * The answer to the service never says it.
   */
  readonly onError?: (error: unknown) => void;
}

/** Takes a delivery and answers it. */
export type WebhookHandler = (request: Request) => Promise<Response>;

const minute = 60_000;
const standings = { done: 200, running: 409 } as const;

type Status = 200 | 202 | 400 | 401 | 405 | 409 | 413 | 500;

/**
 * Makes a handler of signed alerts for anything that speaks `Request` and `Response`: Hono, Next.js, Workers, Deno,
 * Bun; with {@link toNodeHandler} for Node, Express and Fastify (interface: Delivery).
 *
 * It answers 200 when the alert was handled, now or by an earlier delivery; 400 for a body that is no JSON object;
 * 401 for a bad signature or bad credentials; 405; 409 while another receiver handles the alert; 413; 500 when
 * `onAlert` or the store fails, or the body breaks off. Anything but 2xx makes the service try again, up to five
 * times in all. A duplicate that arrives while the alert is being handled gets the answer of that run.
 *
 * Throws {@link ConfigurationError} for options that can't be used. The handler rejects with
 * {@link WebhookVerificationError}, reason `body_already_parsed`, if the body was read before it.
 *
 * @example
 * const handle = createWebhookHandler({
 *   secret,
 *   onAlert: async ({ alert, event }) => page(`${alert.rule_name}: ${event.asset.qualified_name}`),
 *   onError: console.error,
 * });
 * export const POST = (request: Request): Promise<Response> => handle(request);
 */
export function createWebhookHandler({
  secret,
  onAlert,
  auth,
  dedupe = createMemoryDedupe(),
  dedupeTtl = 7 * 24 * 60 * minute,
  handlingTimeout = 5 * minute,
  maxBytes = 1024 * 1024,
  answerFirst,
  onError,
}: WebhookHandlerOptions): WebhookHandler {
  if (typeof onAlert !== 'function') throw new ConfigurationError('onAlert must be a function.');
  assertPositiveIntegers({ dedupeTtl, handlingTimeout, maxBytes });
  const secrets = secretsOf(secret);
  const isAuthorized = createCredentialCheck(auth);
  const claims = createClaims(dedupe, { runningMs: handlingTimeout, doneMs: dedupeTtl });
  const running = new Map<string, Promise<Status>>();

  return async (request) => {
    if (request.bodyUsed) throw alreadyParsed();
    const status = await receive(request);
    return new Response(null, { status, headers: { allow: 'POST' } });
  };

  async function receive(request: Request): Promise<Status> {
    if (request.method !== 'POST') return 405;
    const signature = request.headers.get(signatureHeader);
    if (signature === null) return refuse('missing_signature');
    if (!(await isAuthorized(request.headers))) return refuse('bad_credentials');
    try {
      const body = await readBody(request, maxBytes);
      if (body === undefined) return 413;
      if (!(await verifySignature(body, signature, secrets))) return refuse('bad_signature');
      const alert = parseAlert(new TextDecoder().decode(body));
      return await handleOnce(alert.alert.id === '' ? signature : alert.alert.id, alert);
    } catch (error) {
      report(error);
      return error instanceof WebhookVerificationError ? 400 : 500;
    }
  }

  /** Runs `onAlert` unless the alert was handled, here or elsewhere; one that is being handled here is waited for. */
  async function handleOnce(id: string, alert: AlertEvent): Promise<Status> {
    const earlier = running.get(id);
    if (earlier !== undefined) return earlier;

    const standing = claims.begin(id);
    const outcome = standing.then((found) => (found === 'claimed' ? run(id, alert) : standings[found]));
    running.set(id, outcome);
    const forget = (): void => void running.delete(id);
    const ended = outcome.then(forget, forget);

    if (!answerFirst || (await standing) !== 'claimed') return outcome;
    if (answerFirst !== true) answerFirst(ended);
    return 202;
  }

  async function run(id: string, alert: AlertEvent): Promise<Status> {
    try {
      await onAlert(alert);
    } catch (error) {
      report(error);
      await claims.abandon(id).catch(report);
      return 500;
    }
    // What was handled is answered as handled even if the store can't note it: a retry would only repeat it.
    await claims.complete(id).catch(report);
    return 200;
  }

  function refuse(reason: WebhookVerificationReason): 401 {
    report(new WebhookVerificationError(reason, `Delivery refused: ${reason}.`));
    return 401;
  }

  function report(error: unknown): void {
    try {
      onError?.(error);
    } catch {
      // A reporter that fails must not turn an answer into a crash.
    }
  }
}
