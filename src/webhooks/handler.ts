import { ConfigurationError } from '../errors/configuration-error.ts';
import { WebhookVerificationError } from './verification-error.ts';
import { parseAlert } from './alert-event.ts';
import type { AlertEvent } from './alert-event.ts';
import { alreadyParsed, readBody } from './body.ts';
import { createCredentialCheck } from './credentials.ts';
import type { WebhookAuth } from './credentials.ts';
import { createClaims } from './dedupe.ts';
import type { Dedupe } from './dedupe.ts';
import { createMemoryDedupe } from './memory-dedupe.ts';
import { assertPositiveIntegers } from './positive-integers.ts';
import { secretsOf, signatureHeader, signPayload, verifySignature } from './signature.ts';
import { timeLimited, TimeLimitError, withinTime } from './time-limit.ts';

/** How deliveries are received. */
export interface WebhookHandlerOptions {
  /**
   * The shared secret that deliveries are signed with; several while one is being replaced. Can be left out if `auth`
   * is given and the destination has no secret: deliveries are then not signed.
   */
  readonly secret?: string | readonly string[] | undefined;
  /** Called once per alert. If it throws or rejects, the service delivers the alert again. */
  readonly onAlert: (alert: AlertEvent) => unknown;
  /** Credentials that the destination was configured to send; they suffice without a `secret`. */
  readonly auth?: WebhookAuth | undefined;
  /**
   * Where handled alerts are remembered. A call of it that takes longer than 5 seconds counts as failed.
   *
   * @default in memory, see {@link createMemoryDedupe}
   */
  readonly dedupe?: Dedupe;
  /**
   * How long a handled alert is remembered, in ms. Within this time a captured delivery cannot be replayed.
   *
   * @default 604_800_000 (7 days)
   */
  readonly dedupeTtl?: number;
  /**
   * How long `onAlert` may take, in ms. After that the response is a 500, and a later delivery is handled by this
   * receiver or by another one that shares the store.
   *
   * @default 300_000 (5 minutes)
   */
  readonly handlingTimeout?: number;
  /**
   * The longest body, in bytes.
   *
   * @default 1_048_576 (1 MiB)
   */
  readonly maxBytes?: number;
  /**
   * Returns 202 before `onAlert` has run, for an `onAlert` that needs more than the 5 seconds the service advises. The
   * price: the service counts the alert as delivered, so one that fails, or that a crash ends, is not delivered again.
   * If the platform stops the work that a response leaves behind, pass its `waitUntil`.
   *
   * @default false
   */
  readonly acknowledgeEarly?: boolean | ((work: Promise<void>) => void);
  /**
   * Called with the reason a delivery was not accepted: what `onAlert` or the store threw, or a
   * {@link WebhookVerificationError}. The response to the service never contains it.
   */
  readonly onError?: (error: unknown) => void;
}

/** Handles a delivery and returns the response to it. */
export type WebhookHandler = (request: Request) => Promise<Response>;

const minute = 60_000;
/** How long a call of the store may take, in ms. */
const storeTimeout = 5000;

/** An id longer than this is remembered by a digest: a store is bounded by bytes too. */
const longestId = 200;

const unclaimed = { done: 200, running: 409 } as const;

type Status = 200 | 202 | 400 | 401 | 405 | 409 | 413 | 500;

/** Why a delivery is refused before it is read, in words. */
const refusals = {
  missing_signature: 'it has no signature (header X-Service-Signature)',
  bad_signature: 'its signature does not match the secret',
  bad_credentials: 'its credentials are not the expected ones',
} as const;

/**
 * Creates a handler of alerts for anything that speaks `Request` and `Response`: Hono, Next.js, Workers, Deno, Bun;
 * with {@link toNodeHandler} for Node, Express and Fastify.
 *
 * Its responses: 200 if the alert was handled, now or by an earlier delivery; 400 for a body that is not a JSON
 * object; 401 for a bad signature or bad credentials; 405; 409 while another receiver handles the alert; 413; 500 if
 * `onAlert` or the store fails or takes too long, or the body breaks off. Anything but 2xx makes the service try
 * again, up to five times in all. A duplicate that arrives while the alert is being handled gets the same response.
 *
 * @throws ConfigurationError for options that cannot be used, such as neither `secret` nor `auth`. The handler rejects
 * with {@link WebhookVerificationError}, reason `body_already_parsed`, if the body was read before it.
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
  acknowledgeEarly,
  onError,
}: WebhookHandlerOptions): WebhookHandler {
  if (typeof onAlert !== 'function') throw new ConfigurationError('onAlert must be a function.');
  assertPositiveIntegers({ dedupeTtl, handlingTimeout, maxBytes });
  if (secret === undefined && auth === undefined) {
    throw new ConfigurationError('secret or auth is required.');
  }
  const secrets = secret === undefined ? undefined : secretsOf(secret);
  const isAuthorized = createCredentialCheck(auth);
  const claims = createClaims(timeLimited(dedupe, storeTimeout), {
    runningMs: handlingTimeout,
    doneMs: dedupeTtl,
  });
  const running = new Map<string, Promise<Status>>();

  return async (request) => {
    if (request.bodyUsed) throw alreadyParsed();
    const status = await receive(request);
    return new Response(null, { status, headers: { allow: 'POST' } });
  };

  async function receive(request: Request): Promise<Status> {
    if (request.method !== 'POST') return 405;
    const signature = request.headers.get(signatureHeader);
    if (signature === null && secrets !== undefined) return refuse('missing_signature');
    if (!(await isAuthorized(request.headers))) return refuse('bad_credentials');
    try {
      const body = await readBody(request, maxBytes);
      if (body === undefined) return 413;
      if (secrets !== undefined && !(await verifySignature(body, signature, secrets))) {
        return refuse('bad_signature');
      }
      const alert = parseAlert(new TextDecoder().decode(body));
      const { id } = alert.alert;
      if (id !== '' && id.length <= longestId) return await handleOnce(id, alert);
      return await handleOnce(await signPayload(id === '' ? body : id, 'id'), alert);
    } catch (error) {
      report(error);
      return error instanceof WebhookVerificationError ? 400 : 500;
    }
  }

  /** Runs `onAlert` unless the alert was handled, here or elsewhere; one that is being handled here is waited for. */
  async function handleOnce(id: string, alert: AlertEvent): Promise<Status> {
    const earlier = running.get(id);
    if (earlier !== undefined) return earlier;

    const claim = claims.begin(id);
    const outcome = claim.then((state) => (state === 'claimed' ? run(id, alert) : unclaimed[state]));
    running.set(id, outcome);
    const forget = (): void => void running.delete(id);
    const ended = outcome.then(forget, forget);

    if (!acknowledgeEarly || (await claim) !== 'claimed') return outcome;
    if (acknowledgeEarly !== true) acknowledgeEarly(ended);
    return 202;
  }

  async function run(id: string, alert: AlertEvent): Promise<Status> {
    const handling = (async () => onAlert(alert))();
    try {
      await withinTime(handling, handlingTimeout, 'onAlert');
    } catch (error) {
      report(error);
      // What ends well after all need not be handled again; until then the claim lasts no longer than the time limit.
      if (error instanceof TimeLimitError) void handling.then(async () => claims.complete(id)).catch(report);
      else await claims.abandon(id).catch(report);
      return 500;
    }
    // What was handled is acknowledged even if the store cannot note it: a retry would only repeat it.
    await claims.complete(id).catch(report);
    return 200;
  }

  function refuse(reason: keyof typeof refusals): 401 {
    report(new WebhookVerificationError(reason, `Delivery refused: ${refusals[reason]}.`));
    return 401;
  }

  function report(error: unknown): void {
    try {
      onError?.(error);
    } catch {
      // A reporter that fails must not turn a response into a crash.
    }
  }
}
