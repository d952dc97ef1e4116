// The contract seen from inside: serves a Request, whatever stores and computes.

import type { Endpoints } from '../contract/index.ts';
import type { Tier } from '../contract/vocabulary.ts';
import { createAssets } from './assets.ts';
import type { Evaluation } from './evaluation.ts';
import { freshnessRoutes } from './freshness.ts';
import { lineageRoutes } from './lineage.ts';
import { metricsRoutes } from './metrics.ts';
import { encodeProblem, internalError, Problem, rateLimited } from './problem.ts';
import { createRateLimiter, quotaHeaders, type RateLimiter } from './rate-limit.ts';
import type { Route, RoutesOf } from './route.ts';
import { createRouter } from './router.ts';
import { authorize, createIdentify, type Keys } from './scope.ts';
import type { Asset, Store } from './store.ts';
import { validityRoutes } from './validity.ts';

/** What a service is made of. */
export interface ServiceParts {
  readonly assets: readonly Asset[];
  readonly keys: Keys;
  readonly store: Store;
  readonly evaluation: Evaluation;
  /** Enforced for each key; without one nothing is limited. */
  readonly tier?: Tier | undefined;
  /** Counts the requests of each key instead of this process alone. */
  readonly limiter?: RateLimiter | undefined;
  /**
   * Milliseconds since 1970.
   *
   * @default Date.now
   */
  readonly now?: (() => number) | undefined;
  /** Endpoints of a backend's own, beside those of the interface. */
  readonly ownRoutes?: readonly Route[] | undefined;
  /**
   * The prefix before `/api/v1` in the paths of requests.
   *
   * @default none
   */
  readonly basePath?: string | undefined;
  /** Called with the path of the endpoint that a request is for, such as `/api/v1/sdk/validity/{asset_id}`. */
  readonly onEndpoint?: ((request: Request, path: string) => void) | undefined;
  /** Called with the error that a 500 does not show to the client. */
  readonly onError?: ((error: unknown, request: Request) => void) | undefined;
}

/** Responds to a request; never rejects. */
export type Service = (request: Request) => Promise<Response>;

/** Serves the contract: Request → route → authorise → count → decode → handle → encode → Response. */
export function createService(parts: ServiceParts): Service {
  const { store, evaluation, now = Date.now, basePath = '', onError } = parts;
  const context = { assets: createAssets(parts.assets), store, evaluation, now };
  const routes: { readonly [Room in keyof Endpoints]: RoutesOf<Endpoints[Room]> } = {
    validity: validityRoutes(context),
    metrics: metricsRoutes(context),
    freshness: freshnessRoutes(context),
    lineage: lineageRoutes(context),
  };
  const match = createRouter([
    ...Object.values(routes).flatMap((room): readonly Route[] => Object.values(room)),
    ...(parts.ownRoutes ?? []),
  ]);
  const identify = createIdentify(parts.keys);
  const limiter = parts.limiter ?? createRateLimiter(parts.tier, now);

  return async (request) => {
    const credential = identify(request);
    let quota = limiter.full();
    try {
      if (credential !== undefined) quota = await limiter.take(credential.key);
      const { pathname, searchParams: query } = new URL(request.url);
      const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : pathname;
      // What the service has is nobody's business without a key.
      authorize(request, credential, 'read-only');
      const { route, params } = match(request.method, path, query);
      parts.onEndpoint?.(request, route.endpoint.path);
      authorize(request, credential, route.endpoint.scope);
      if (quota.retryAfter !== undefined) throw rateLimited(quota.retryAfter);
      return Response.json(await route.answer({ request, params, query }), { headers: quotaHeaders(quota) });
    } catch (error) {
      // What a client that has left gets is nobody's concern.
      if (!(error instanceof Problem) && !request.signal.aborted) onError?.(error, request);
      return encodeProblem(error instanceof Problem ? error : internalError(), quotaHeaders(quota));
    }
  };
}
