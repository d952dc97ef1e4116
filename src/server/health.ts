import type { Evaluation } from '../service/evaluation.ts';
import type { Service } from '../service/service.ts';
import type { Asset } from '../service/store.ts';
import type { State } from './state.ts';

/** What the health of a service is read from. */
export interface HealthParts {
  readonly state: State;
  readonly evaluation: Evaluation;
  readonly assets: readonly Asset[];
}

/**
 * Adds `GET /health`, which needs no key, for load balancers: 200 `ok`; 200 `degraded` if the data of an asset cannot
 * be read, as everything else goes on; 503 `unavailable` if the state cannot be. What takes longer than five seconds
 * counts as away.
 */
export function withHealth(service: Service, parts: HealthParts): Service {
  return async (request) => {
    const isHealth = new URL(request.url).pathname === '/health' && /^(GET|HEAD)$/.test(request.method);
    return isHealth ? health(parts) : service(request);
  };
}

async function health({ state, evaluation, assets }: HealthParts): Promise<Response> {
  const isReachable = await succeeds(async () => state.run('SELECT 1'));
  const readable = await Promise.all(
    assets.map(async (asset) => ({
      name: asset.name,
      status: (await succeeds(async () => evaluation.tables(asset))) ? 'ok' : 'unreadable',
    })),
  );
  const isWhole = readable.every(({ status }) => status === 'ok');
  const status = isReachable ? (isWhole ? 'ok' : 'degraded') : 'unavailable';
  return Response.json(
    { status, state: isReachable ? 'ok' : 'unavailable', assets: readable },
    { status: isReachable ? 200 : 503, headers: { 'Cache-Control': 'no-store' } },
  );
}

/** Milliseconds after which something counts as away: a load balancer does not wait for long. */
const longest = 5000;

async function succeeds(task: () => Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), longest);
  const attempt = async () => {
    await task();
    return true;
  };
  try {
    return await Promise.race([attempt(), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
