import type { Hooks, ObservedCall } from '../http/hooks.ts';
import { CallTrace } from './call-trace.ts';
import { createInstruments } from './instruments.ts';

/**
 * Returns hooks that make a span for each call, below it one for each attempt with the semantic conventions of HTTP
 * clients, and metrics; the service gets the context of the attempt in `traceparent`. They use the SDK that is
 * registered with `@opentelemetry/api`; without one they do nothing. No span or metric contains the key, a query or a
 * body. With hooks of your own, pass a list.
 *
 * @example
 * const client = new DataQualityClient({ hooks: openTelemetryHooks() });
 * const watched = new DataQualityClient({ hooks: [openTelemetryHooks(), { onRetry: console.log }] });
 */
export function openTelemetryHooks(): Hooks {
  const instruments = createInstruments();
  const traces = new WeakMap<ObservedCall, CallTrace>();
  return {
    onCallStart: ({ call }) => void traces.set(call, new CallTrace(call, instruments())),
    aroundSend: (event, send) => traces.get(event.call)?.send(event, send),
    onResponse: (event) => traces.get(event.call)?.receive(event),
    onNoResponse: (event) => traces.get(event.call)?.miss(event),
    onRetry: (event) => traces.get(event.call)?.retry(event),
    onWait: (event) => traces.get(event.call)?.wait(event),
    onCallEnd: (event) => traces.get(event.call)?.end(event),
  };
}
