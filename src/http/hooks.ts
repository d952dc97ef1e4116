import type { RateLimit } from '../errors/rate-limit.ts';

/** A call as hooks see it: the same object in every event of one call, and another one in those of any other call. */
export interface ObservedCall {
  /** The method of the client, such as `validity.get`; `undefined` for `request` and `paginate`. */
  readonly name: string | undefined;
  /** HTTP method, in capitals. */
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  /** Path with `{name}` for each parameter; `undefined` for `request` and `paginate`. */
  readonly route: string | undefined;
  /** The parameters of the path by name, such as `asset_id`; empty for `request` and `paginate`. */
  readonly params: Readonly<Record<string, string>>;
  /** Address without its query; it contains no credentials. */
  readonly url: string;
}

/** A call that begins: its input was checked, and nothing was sent yet. */
export interface CallStartEvent {
  /** The call. */
  readonly call: ObservedCall;
}

/** A call that has ended. */
export interface CallEndEvent {
  /** The call. */
  readonly call: ObservedCall;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** How long the whole call took, in ms: attempts and waits. */
  readonly durationMs: number;
  /** What the call returned; `undefined` if it failed. */
  readonly data: unknown;
  /** What the call threw; `undefined` if it succeeded. */
  readonly error: unknown;
}

/** A request that is about to leave. */
export interface RequestEvent {
  /** The call that the request belongs to. */
  readonly call: ObservedCall;
  /** HTTP method, in capitals. */
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  /** 1 for the first attempt of a call. */
  readonly attempt: number;
}

/** A response that has arrived, its body included. */
export interface ResponseEvent extends RequestEvent {
  /** HTTP status. */
  readonly status: number;
  /** The headers of the response. */
  readonly headers: Headers;
  /** The rate limit announced with the response, if it was. */
  readonly rateLimit: RateLimit | undefined;
  /** How long this attempt took, in ms. */
  readonly durationMs: number;
}

/** An attempt that ended without a response: the connection failed, it timed out, or the call was aborted. */
export interface NoResponseEvent extends RequestEvent {
  /** Why there is no response. */
  readonly error: unknown;
  /** How long this attempt took, in ms. */
  readonly durationMs: number;
}

/** A failed attempt that is followed by another one. */
export interface RetryEvent extends RequestEvent {
  /** Why the attempt failed. */
  readonly error: Error;
  /** How long the call waits before the next attempt, in ms. */
  readonly delayMs: number;
}

/** A call that waits for the rate limit. */
export interface ThrottleEvent {
  /** The call that waits. */
  readonly call: ObservedCall;
  /** HTTP method, in capitals. */
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  /** How long the call is expected to wait, in ms. */
  readonly ms: number;
  /** Why it waits. */
  readonly reason: string;
}

/** Sends an attempt; `headers` are added to it, unless the options of the client or the call set them. */
export type SendAttempt = (headers?: Readonly<Record<string, string>>) => void;

/** Observers of every call. They do not change what it returns; what they throw is logged and ignored. */
export interface Hooks {
  /** Called when a call begins, in the async context of its caller. A call with invalid input never begins. */
  readonly onCallStart?: (event: CallStartEvent) => void;
  /** Called before each attempt. */
  readonly onRequest?: (event: RequestEvent) => void;
  /**
   * Called for each attempt, with the function that sends it: call it before the hook returns, in an async context of your
   * own or with headers to add, such as `traceparent`. If the hook does not, the attempt is sent after it.
   */
  readonly aroundSend?: (event: RequestEvent, send: SendAttempt) => void;
  /** Called for each response, whatever its status. */
  readonly onResponse?: (event: ResponseEvent) => void;
  /** Called for each attempt that ends without a response. */
  readonly onNoResponse?: (event: NoResponseEvent) => void;
  /** Called when a failed attempt will be followed by another one. */
  readonly onRetry?: (event: RetryEvent) => void;
  /** Called when a call has to wait for the rate limit. */
  readonly onWait?: (event: ThrottleEvent) => void;
  /** Called when a call that began has ended, whether it succeeded or failed. */
  readonly onCallEnd?: (event: CallEndEvent) => void;
}

/** The hooks that only observe. */
export type ObserverName = Exclude<keyof Hooks, 'aroundSend'>;
