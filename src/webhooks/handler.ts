import { ConfigurationError, WebhookVerificationError } from '../errors.ts';
import { parseAlert } from './alert-event.ts';
import type { AlertEvent } from './alert-event.ts';
import { readBody, tooLarge } from './body.ts';
import { createCredentialCheck } from './credentials.ts';
import type { WebhookAuth } from './credentials.ts';
import { createClaims } from './dedupe.ts';
import type { Dedupe } from './dedupe.ts';
import { createMemoryDedupe } from './memory-dedupe.ts';
import { assertSecrets, signatureHeader, verifySignature } from './signature.ts';

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

const answers = {
  200: 'handled',
  202: 'accepted',
  400: 'bad request',
  401: 'unauthorized',
  405: 'only POST',
  409: 'being handled',
  413: 'too large',
  500: 'failed',
} as const;

type Status = keyof typeof answers;

/**
 * Makes a handler of signed alerts for anything that speaks `Request` and `Response`: Hono, Next.js, Workers, Deno,
 * Bun; with {@link toNodeHandler} for Node, Express and Fastify (interface: Delivery).
 *
 * It answers 200 when the alert was handled, now or by an earlier delivery; 400 for a body that can't be read or is
 * no JSON object; 401 for a bad signature or bad credentials; 405; 409 while another receiver handles the alert; 413;
 * 500 when `onAlert` or the store fails. Anything but 2xx makes the service try again, up to five times. A duplicate
 * that arrives while the alert is being handled gets the answer of that run.
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
export function createWebhookHandler(options: WebhookHandlerOptions): WebhookHandler {
  const { secret, onAlert, answerFirst, onError, maxBytes, claims, isAuthorized } = settle(options);
  const running = new Map<string, Promise<Status>>();

  return async (request) => {
    if (request.bodyUsed) throw alreadyParsed();
    const status = await receive(request);
    return new Response(answers[status], { status, headers: status === 405 ? { allow: 'POST' } : {} });
  };

  async function receive(request: Request): Promise<Status> {
    if (request.method !== 'POST') return 405;
    const signature = request.headers.get(signatureHeader);
    if (signature === null)
      return refuse('missing_signature', 'The delivery carries no X-Service-Signature.');
    if (!(await isAuthorized(request.headers))) {
      return refuse('bad_credentials', 'The credentials of the delivery are not those of the option auth.');
    }
    try {
      const body = await readBody(request, maxBytes);
      if (body === tooLarge) return 413;
      if (!(await verifySignature(body, signature, secret))) {
        return refuse('bad_signature', 'The signature of the delivery was not made with the secret.');
      }
      const alert = parseAlert(new TextDecoder().decode(body));
      return await handleOnce(alert.alert.id === '' ? signature : alert.alert.id, alert);
    } catch (error) {
      report(error);
      return 400;
    }
  }

  /** Runs `onAlert` unless the alert was handled, here or elsewhere; one that is being handled here is waited for. */
  async function handleOnce(id: string, alert: AlertEvent): Promise<Status> {
    const earlier = running.get(id);
    if (earlier !== undefined) return earlier;

    const standing = begin(id);
    const outcome = standing.then((found) => (found === 'claimed' ? run(id, alert) : found));
    running.set(id, outcome);
    const ended = outcome.then(() => void running.delete(id));

    if (answerFirst === undefined || (await standing) !== 'claimed') return outcome;
    answerFirst(ended);
    return 202;
  }

  async function begin(id: string): Promise<Status | 'claimed'> {
    try {
      const standing = await claims.begin(id);
      return standing === 'claimed' ? standing : standing === 'done' ? 200 : 409;
    } catch (error) {
      report(error);
      return 500;
    }
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

  function refuse(reason: 'missing_signature' | 'bad_signature' | 'bad_credentials', message: string): 401 {
    report(new WebhookVerificationError(reason, message));
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

const day = 24 * 60 * 60 * 1000;

/** The options checked once, with their defaults. */
function settle(options: WebhookHandlerOptions) {
  const { secret, onAlert, auth, dedupe, answerFirst, onError } = options;
  const secrets = typeof secret === 'string' ? [secret] : [...(secret ?? [])];
  assertSecrets(secrets);
  if (typeof onAlert !== 'function') throw new ConfigurationError('onAlert must be a function.');
  return {
    secret: secrets,
    onAlert,
    onError,
    answerFirst: answerFirst === true ? () => undefined : answerFirst === false ? undefined : answerFirst,
    maxBytes: positive('maxBytes', options.maxBytes ?? 1024 * 1024),
    isAuthorized: createCredentialCheck(auth),
    claims: createClaims(dedupe ?? createMemoryDedupe(), {
      runningMs: positive('handlingTimeout', options.handlingTimeout ?? 5 * 60 * 1000),
      doneMs: positive('dedupeTtl', options.dedupeTtl ?? 7 * day),
    }),
  };
}

function positive(option: string, value: number): number {
  if (Number.isInteger(value) && value > 0) return value;
  throw new ConfigurationError(`${option} must be a positive integer, not ${String(value)}.`);
}

function alreadyParsed(): WebhookVerificationError {
  return new WebhookVerificationError(
    'body_already_parsed',
    'The body of the request was read before the webhook handler got it, and with it what was signed. Hand over the request before anything calls .json() or .text() on it, or hand over request.clone().',
  );
}
