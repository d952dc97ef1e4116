import { endpointNotFound, methodNotAllowed } from './problem.ts';
import type { Route } from './route.ts';

/** The route of a request, and what its path says. */
export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a request, or throws 404 or 405. */
export type Router = (method: string, path: string, query: URLSearchParams) => Match;

interface Pattern {
  readonly route: Route;
  readonly segments: readonly string[];
}

/** Makes a router from the methods and paths of the endpoints. */
export function createRouter(routes: readonly Route[]): Router {
  // A literal segment is meant before a parameter: `/{asset_id}/summary` before `/{asset_id}/{rule_id}`.
  const patterns = routes
    .map((route) => ({ route, segments: route.endpoint.path.split('/') }))
    .toSorted((a, b) => literals(b) - literals(a));

  return (method, path, query) => {
    const segments = decodePath(path);
    const matching = patterns.filter((pattern) => matches(pattern, segments));
    if (matching.length === 0) throw endpointNotFound(path);

    const allowed = matching.filter(({ route }) => route.endpoint.method === method);
    const isSelected = ({ route }: Pattern): boolean =>
      route.endpoint.selectedBy?.some((name) => query.has(name)) ?? false;
    const found =
      allowed.find(isSelected) ?? allowed.find(({ route }) => route.endpoint.selectedBy === undefined);
    if (found === undefined) {
      throw methodNotAllowed(method, [...new Set(matching.map(({ route }) => route.endpoint.method))]);
    }
    return { route: found.route, params: paramsOf(found, segments) };
  };
}

/** The name of a segment such as `{asset_id}`, `undefined` for a literal. */
function parameterName(segment: string): string | undefined {
  return segment.startsWith('{') ? segment.slice(1, -1) : undefined;
}

function literals({ segments }: Pattern): number {
  return segments.filter((segment) => parameterName(segment) === undefined).length;
}

/** The decoded segments of a path, none if its percent encoding is invalid: then it matches nothing. */
function decodePath(path: string): readonly string[] {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return [];
  }
}

function matches({ segments }: Pattern, path: readonly string[]): boolean {
  return (
    segments.length === path.length &&
    segments.every((segment, at) =>
      parameterName(segment) === undefined ? path[at] === segment : path[at] !== '',
    )
  );
}

function paramsOf({ segments }: Pattern, path: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    segments.flatMap((segment, at) => {
      const name = parameterName(segment);
      return name === undefined ? [] : [[name, path[at] ?? '']];
    }),
  );
}
