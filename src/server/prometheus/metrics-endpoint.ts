import { isLoopback } from '../../loopback.ts';
import { encodeProblem, internalError, Problem } from '../../service/problem.ts';
import { authorize, createIdentify, type Keys } from '../../service/scope.ts';
import type { Service } from '../../service/service.ts';
import type { Asset } from '../../service/store.ts';
import { isOwnHost } from '../own-host.ts';
import type { State } from '../state.ts';
import { expositionType, writeExposition } from './exposition.ts';
import type { Measurements } from './measurements.ts';
import { stateFamilies } from './state-families.ts';

/** What `GET /metrics` is made of. */
export interface MetricsParts {
  readonly state: State;
  readonly assets: readonly Asset[];
  readonly measurements: Measurements;
  readonly keys: Keys;
  /** The host name or address that the service listens on. */
  readonly host: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with the error that a 500 does not show. */
  readonly onError: (error: unknown) => void;
}

/**
 * Adds `GET /metrics` for Prometheus. It needs a key of any scope, unless the service can only be reached from this
 * machine and was called by a name of this machine.
 */
export function withMetrics(service: Service, parts: MetricsParts): Service {
  const identify = createIdentify(parts.keys);
  return async (request) => {
    const isMetrics = new URL(request.url).pathname === '/metrics' && /^(GET|HEAD)$/.test(request.method);
    if (!isMetrics) return service(request);
    try {
      const needsNoKey = isLoopback(parts.host) && isOwnHost(request, parts.host);
      if (!needsNoKey) authorize(request, identify(request), 'read-only');
      return await scrape(parts);
    } catch (error) {
      if (!(error instanceof Problem)) parts.onError(error);
      return encodeProblem(error instanceof Problem ? error : internalError());
    }
  };
}

async function scrape({ state, assets, measurements, now }: MetricsParts): Promise<Response> {
  const time = now();
  const families = [...(await stateFamilies(state, assets, time)), ...measurements.families(time)];
  return new Response(writeExposition(families), {
    headers: { 'Content-Type': expositionType, 'Cache-Control': 'no-store' },
  });
}
