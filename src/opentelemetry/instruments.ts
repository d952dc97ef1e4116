import { type Counter, type Gauge, type Histogram, type MeterProvider, metrics } from '@opentelemetry/api';

import { scope } from './scope.ts';

/** What calls and requests are measured with. */
export interface Instruments {
  readonly requestDuration: Histogram;
  readonly serverRequestDuration: Histogram;
  readonly retries: Counter;
  readonly throttleDuration: Histogram;
  readonly checks: Counter;
  readonly checkedRows: Counter;
  readonly invalidPercent: Gauge;
  readonly freshnessAge: Gauge;
}

/** The boundaries that the semantic conventions advise, in seconds. */
const seconds = {
  unit: 's',
  advice: {
    explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  },
};

/**
 * Returns a function that returns the instruments of the provider that is registered now: unlike a tracer, a meter that
 * was made before the SDK was registered never begins to measure.
 */
export function createInstruments(): () => Instruments {
  let provider: MeterProvider | undefined;
  let instruments: Instruments | undefined;
  return () => {
    const registered = metrics.getMeterProvider();
    if (instruments === undefined || provider !== registered) {
      provider = registered;
      instruments = makeInstruments(registered);
    }
    return instruments;
  };
}

function makeInstruments(provider: MeterProvider): Instruments {
  const meter = provider.getMeter(scope);
  return {
    requestDuration: meter.createHistogram('http.client.request.duration', {
      description: 'Duration of HTTP client requests.',
      ...seconds,
    }),
    serverRequestDuration: meter.createHistogram('http.server.request.duration', {
      description: 'Duration of HTTP server requests.',
      ...seconds,
    }),
    retries: meter.createCounter('data_quality.client.retries', {
      description: 'Attempts that failed and were followed by another one.',
      unit: '{retry}',
    }),
    throttleDuration: meter.createHistogram('data_quality.client.throttle.duration', {
      description: 'Time that requests waited for the rate limit.',
      ...seconds,
    }),
    checks: meter.createCounter('data_quality.checks', {
      description: 'Checks of rules, by their status.',
      unit: '{check}',
    }),
    checkedRows: meter.createCounter('data_quality.check.rows', {
      description: 'Rows that checks examined.',
      unit: '{row}',
    }),
    invalidPercent: meter.createGauge('data_quality.check.invalid_percent', {
      description: 'Share of the rows that break a rule, by its latest check.',
      unit: '%',
    }),
    freshnessAge: meter.createGauge('data_quality.freshness.age', {
      description: 'Age of the data of an asset when it was last looked at.',
      unit: 's',
    }),
  };
}
