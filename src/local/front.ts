import { randomUUID } from 'node:crypto';

import { withHealth } from '../server/health.ts';
import { withRequestLog } from '../server/log.ts';
import type { Measurements } from '../server/prometheus/measurements.ts';
import { withMetrics } from '../server/prometheus/metrics-endpoint.ts';
import { withServiceHeader } from '../server/service-header.ts';
import { withServiceHooks } from '../server/service-hooks.ts';
import type { State } from '../server/state.ts';
import type { Backend } from '../service/context.ts';
import type { RateLimiter } from '../service/rate-limit.ts';
import type { Route } from '../service/route.ts';
import type { Keys } from '../service/scope.ts';
import { createService, type Service } from '../service/service.ts';
import type { Asset } from '../service/store.ts';
import { LazyPage } from './lazy-page.ts';
import type { LocalServiceSettings } from './options.ts';

/** What the front of the local service is made of. */
export interface FrontParts {
  readonly settings: LocalServiceSettings;
  readonly keys: Keys;
  readonly assets: readonly Asset[];
  readonly state: State;
  /** Counts requests if processes that share the state count together; else this process counts by itself. */
  readonly limiter: RateLimiter | undefined;
  readonly backend: Backend;
  /** The endpoints beside the interface. */
  readonly ownRoutes: readonly Route[];
  readonly measurements: Measurements;
  readonly onError: (error: unknown) => void;
}

/** Everything that responds to a request: the interface, its own endpoints, health, metrics and the page. */
export function createFront(parts: FrontParts): { readonly service: Service; readonly page: LazyPage } {
  const { settings, keys, assets, state, limiter, backend, ownRoutes, measurements, onError } = parts;
  const { tier, host, log, clock, hooks } = settings;
  const own = { assets, ownRoutes, onError, ...backend };
  const onEndpoint = (request: Request, path: string) => measurements.noteEndpoint(request, path);
  const service = withServiceHeader(createService({ ...own, keys, tier, limiter, onEndpoint }));

  // What the page reads is not counted against the limits of its reader's key.
  const pageKeys = { readOnly: randomUUID(), readWrite: randomUUID(), admin: randomUUID() };
  const inside = { service: withServiceHeader(createService({ ...own, keys: pageKeys })), keys: pageKeys };
  const page = new LazyPage({ assets, state, keys, inside, host, onError });

  const healthy = withHealth(service, { state, evaluation: backend.evaluation, assets });
  const now = () => clock.now();
  const measured = withMetrics(measurements.timed(healthy), {
    state,
    assets,
    measurements,
    keys,
    host,
    now,
    onError,
  });
  const logged = withRequestLog(page.beside(measured), log);
  const routeOf = (request: Request) => measurements.endpointOf(request);
  return { service: withServiceHooks(logged, { hooks, routeOf, onError }), page };
}
