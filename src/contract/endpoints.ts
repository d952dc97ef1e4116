import { freshnessEndpoints } from './freshness.ts';
import { lineageEndpoints } from './lineage.ts';
import { metricsEndpoints } from './metrics.ts';
import { validityEndpoints } from './validity.ts';

/** Every endpoint of the service, by resource and by the name of the client's method. */
export const endpoints = {
  validity: validityEndpoints,
  metrics: metricsEndpoints,
  freshness: freshnessEndpoints,
  lineage: lineageEndpoints,
} as const;

/** Every endpoint of the service, by resource and by the name of the client's method. */
export type Endpoints = typeof endpoints;
