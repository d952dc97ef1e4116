import { context, metrics, propagation, type SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  type DataPoint,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { afterEach } from 'vitest';

/** A span, with what tests ask of it. */
export interface SeenSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly id: string;
  readonly traceId: string;
  readonly parentId: string | undefined;
  readonly attributes: ReadableSpan['attributes'];
  readonly status: ReadableSpan['status'];
  readonly events: readonly string[];
}

/** An SDK that keeps what it is given. */
export interface Telemetry {
  /** The spans that have ended, in the order in which they did. */
  spans(): Promise<SeenSpan[]>;
  /** The points of a metric; none if it was never recorded. */
  points(name: string): Promise<{ readonly attributes: unknown; readonly value: unknown }[]>;
  /** Everything that was exported, as text. */
  everything(): Promise<string>;
}

afterEach(() => {
  for (const api of [trace, metrics, context, propagation]) api.disable();
});

/** Registers an SDK until the end of the test. */
export function registerSdk(): Telemetry {
  const spanExporter = new InMemorySpanExporter();
  const tracerProvider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter: spanExporter })],
  });
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({
    exporter: metricExporter,
    exportIntervalMillis: 3_600_000,
  });
  const meterProvider = new MeterProvider({ readers: [reader] });
  trace.setGlobalTracerProvider(tracerProvider);
  metrics.setGlobalMeterProvider(meterProvider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());

  const ended = async (): Promise<ReadableSpan[]> => {
    await tracerProvider.forceFlush();
    return spanExporter.getFinishedSpans();
  };
  const measured = async () => {
    metricExporter.reset();
    await meterProvider.forceFlush();
    return metricExporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics: found }) => found));
  };
  return {
    spans: async () => (await ended()).map(toSeen),
    async points(name) {
      const found = (await measured()).filter(({ descriptor }) => descriptor.name === name);
      return found.flatMap(({ dataPoints }) =>
        (dataPoints as DataPoint<unknown>[]).map(({ attributes, value }) => ({ attributes, value })),
      );
    },
    async everything() {
      const spans = (await ended()).map(({ name, attributes, events, status, links }) => ({
        name,
        attributes,
        events,
        status,
        links,
      }));
      return JSON.stringify([spans, await measured()]);
    },
  };
}

function toSeen(span: ReadableSpan): SeenSpan {
  const { name, kind, attributes, status, events } = span;
  const { spanId: id, traceId } = span.spanContext();
  const parentId = span.parentSpanContext?.spanId;
  return { name, kind, id, traceId, parentId, attributes, status, events: events.map((it) => it.name) };
}
