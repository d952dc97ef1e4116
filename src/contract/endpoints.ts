import { freshnessEndpoints } from './freshness.ts';
import { lineageEndpoints } from './lineage.ts';
import { metricsEndpoints } from './metrics.ts';
import { validityEndpoints } from './validity.ts';

/** Every endpoint of the service, by resource and by the name of the client's method. */
export const endpoints = {
  /** Validity rules and their checks. */
  validity: validityEndpoints,
  /** Metrics and their snapshots. */
  metrics: metricsEndpoints,
  /** How old the data of an asset is. */
  freshness: freshnessEndpoints,
  /** Where the data of an asset comes from. */
  lineage: lineageEndpoints,
} as const;

/** Every endpoint of the service, by resource and by the name of the client's method. */
export type Endpoints = typeof endpoints;
