import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

import type {
  CallEndEvent,
  NoResponseEvent,
  ObservedCall,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  SendAttempt,
  ThrottleEvent,
} from '../http/hooks.ts';
import type { Instruments } from './instruments.ts';
import { errorTypeOf, recordError } from './record-error.ts';
import { recordResult, subjectOf } from './record-result.ts';
import { scope } from './scope.ts';

/**
 * The key by which the SDK and its instrumentations know that nothing below is to be traced: an instrumentation of
 * `fetch` would make the span of an attempt a second time, and send a second `traceparent`.
 */
const suppressTracing = createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

/** The spans and measurements of one call. */
export class CallTrace {
  readonly #call: ObservedCall;
  readonly #instruments: Instruments;
  readonly #server: Attributes;
  readonly #span: Span;
  readonly #context: Context;
  #attempt: Span | undefined;
  #waitsSince: number | undefined;

  constructor(call: ObservedCall, instruments: Instruments) {
    this.#call = call;
    this.#instruments = instruments;
    const { protocol, hostname, port } = new URL(call.url);
    this.#server = {
      'http.request.method': call.method,
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      ...(call.route !== undefined && { 'url.template': call.route }),
    };
    const name = call.name ?? `request ${call.method}`;
    this.#span = trace.getTracer(scope).startSpan(name, { attributes: subjectOf(call) });
    this.#context = trace.setSpan(context.active(), this.#span);
  }

  /** Starts the span of an attempt, and sends it with the context of that span in its headers. */
  send({ attempt }: RequestEvent, send: SendAttempt): void {
    this.#endWait();
    const { method, route, url } = this.#call;
    const attributes = {
      ...this.#server,
      'url.full': url,
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    };
    const name = route === undefined ? method : `${method} ${route}`;
    const options = { kind: SpanKind.CLIENT, attributes };
    this.#attempt = trace.getTracer(scope).startSpan(name, options, this.#context);
    const inside = trace.setSpan(this.#context, this.#attempt);
    const headers: Record<string, string> = {};
    propagation.inject(inside, headers);
    context.with(inside.setValue(suppressTracing, true), () => send(headers));
  }

  /** Ends the span of an attempt that has a response. */
  receive({ status, durationMs }: ResponseEvent): void {
    const error = status >= 400 ? { 'error.type': String(status) } : {};
    this.#endAttempt({ 'http.response.status_code': status, ...error }, durationMs);
  }

  /** Ends the span of an attempt that has no response. */
  miss({ error, durationMs }: NoResponseEvent): void {
    this.#endAttempt({ 'error.type': errorTypeOf(error) }, durationMs);
  }

  /** Notes that another attempt follows. */
  retry({ error, delayMs }: RetryEvent): void {
    const attributes = { ...this.#server, 'error.type': errorTypeOf(error) };
    this.#instruments.retries.add(1, attributes, this.#context);
    this.#span.addEvent('retry', {
      'error.type': errorTypeOf(error),
      'data_quality.client.retry.delay': delayMs / 1000,
    });
  }

  /** Notes that the call waits for the rate limit. */
  wait({ reason }: ThrottleEvent): void {
    // A wait that becomes longer is reported again.
    this.#waitsSince ??= performance.now();
    this.#span.addEvent('throttle', { 'data_quality.client.throttle.reason': reason });
  }

  /** Ends the span of the call, and records what it found. */
  end(event: CallEndEvent): void {
    this.#endWait();
    const { error, attempts } = event;
    this.#span.setAttribute('data_quality.client.attempts', attempts);
    if (error === undefined) recordResult(event, this.#instruments, this.#context);
    else recordError(this.#span, error);
    this.#span.end();
  }

  #endAttempt(ending: Attributes, durationMs: number): void {
    this.#attempt?.setAttributes(ending);
    if ('error.type' in ending) this.#attempt?.setStatus({ code: SpanStatusCode.ERROR });
    this.#attempt?.end();
    const attributes = { ...this.#server, ...ending };
    this.#instruments.requestDuration.record(durationMs / 1000, attributes, this.#context);
  }

  #endWait(): void {
    if (this.#waitsSince === undefined) return;
    const waited = (performance.now() - this.#waitsSince) / 1000;
    this.#instruments.throttleDuration.record(waited, this.#server, this.#context);
    this.#waitsSince = undefined;
  }
}
