import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api';

import type { HandledRequest, ServiceHooks } from '../server/service-hooks.ts';
import { createInstruments } from './instruments.ts';
import { recordError } from './record-error.ts';
import { scope } from './scope.ts';

/** The methods that the semantic conventions know: a client may send any word. */
const knownMethod = /^(?:CONNECT|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT|TRACE)$/;

const getter: TextMapGetter<Headers> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: (headers) => [...headers.keys()],
};

/**
 * Returns hooks for `startLocalService` that make a span for each request it handles, with the semantic conventions of
 * HTTP servers, and measure `http.server.request.duration`. The span is below the one whose `traceparent` the request
 * has, and what runs while the request is handled is below the span. They use the SDK that is registered with
 * `@opentelemetry/api`; without one they do nothing. No span or metric contains a key, a query or a body. An
 * instrumentation of `node:http` makes spans of the same requests: use one of the two.
 *
 * @example
 * const service = await startLocalService({ data: './data', hooks: openTelemetryServiceHooks() });
 */
export function openTelemetryServiceHooks(): ServiceHooks {
  const instruments = createInstruments();
  return {
    async aroundRequest(request, handle) {
      const common = commonAttributes(request);
      const method = knownMethod.test(request.method) ? request.method : 'HTTP';
      // What was active when the service started is no parent of a request.
      const parent = propagation.extract(ROOT_CONTEXT, request.headers, getter);
      const span = trace.getTracer(scope).startSpan(
        method,
        {
          kind: SpanKind.SERVER,
          attributes: {
            ...common,
            ...(method !== request.method && { 'http.request.method_original': request.method }),
            'url.path': request.path,
          },
        },
        parent,
      );
      const inside = trace.setSpan(parent, span);
      try {
        const { status, route, durationMs } = await context.with(inside, handle);
        const ending: Attributes = {
          'http.response.status_code': status,
          ...(route !== undefined && { 'http.route': route }),
          ...(status >= 500 && { 'error.type': String(status) }),
        };
        if (route !== undefined) span.updateName(`${method} ${route}`);
        span.setAttributes(ending);
        // That a client asked for what it may not have is no failure of the service.
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        instruments().serverRequestDuration.record(durationMs / 1000, { ...common, ...ending }, inside);
      } catch (error) {
        recordError(span, error);
      } finally {
        span.end();
      }
    },
  };
}

function commonAttributes({ method }: HandledRequest): Attributes {
  return { 'http.request.method': knownMethod.test(method) ? method : '_OTHER', 'url.scheme': 'http' };
}
