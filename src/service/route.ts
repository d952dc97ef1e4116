import type { Endpoint, Envelope } from '../contract/index.ts';
import { readJson } from './body.ts';
import { decode, decodeQuery, type Refuse } from './decode.ts';
import type { Listing, Slice } from './store.ts';

/** A request that was decoded. */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
}

/** A request whose path matched an endpoint. */
export interface Incoming {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** An endpoint, and the function that makes the body of its 200 response. */
export interface Route<Served = Endpoint> {
  readonly endpoint: Served;
  readonly answer: (incoming: Incoming) => Promise<unknown>;
}

/** One route for every endpoint of a registry: one that is missing, or serves another endpoint, does not compile. */
export type RoutesOf<Registry> = { readonly [Name in keyof Registry]: Route<Registry[Name]> };

/** Most items per page of a list whose page size is not limited by the interface. */
const largestPage = 1000;

async function decodeCall<Params, Query, Body>(
  endpoint: Endpoint<Params, Query, Body>,
  { request, params, query }: Incoming,
  refuse?: Refuse,
): Promise<Call<Params, Query, Body>> {
  const { params: paramsSchema, query: querySchema, body: bodySchema } = endpoint.request;
  // Without a schema the type is unknown, and nobody looks at the value.
  return {
    params: decode(paramsSchema, params, 'path'),
    query: querySchema === undefined ? (undefined as Query) : decodeQuery(querySchema, query),
    body:
      bodySchema === undefined
        ? (undefined as Body)
        : decode(bodySchema, (await readJson(request)) ?? {}, 'body', refuse),
    signal: request.signal,
  };
}

/** An endpoint that responds with `{ data: value }`; `refuse` makes the 400 of a body of its own. */
export function objectRoute<Params, Query, Body, Value, Wrapped extends Envelope>(
  endpoint: Endpoint<Params, Query, Body, Value, Wrapped>,
  handle: (call: Call<Params, Query, Body>) => Promise<Value>,
  refuse?: Refuse,
): Route<Endpoint<Params, Query, Body, Value, Wrapped>> {
  return {
    endpoint,
    answer: async (incoming) => ({ data: await handle(await decodeCall(endpoint, incoming, refuse)) }),
  };
}

/** Serves a list as `{ data: { items }, pagination }`; a page size that is too large is lowered to the largest. */
export function listRoute<
  Params,
  Query extends { limit?: number | undefined; offset?: number | undefined },
  Body,
  Item,
  Wrapped extends Envelope,
>(
  endpoint: Endpoint<Params, Query, Body, Item, Wrapped>,
  handle: (call: Call<Params, Query, Body>, slice: Slice) => Promise<Listing<Item>>,
): Route<Endpoint<Params, Query, Body, Item, Wrapped>> {
  const { default: fallback = largestPage, largest = largestPage } = endpoint.pageSize ?? {};
  return {
    endpoint,
    async answer(incoming) {
      const query = new URLSearchParams(incoming.query);
      // Given several times it stays as it is, and is refused.
      const asked = query.getAll('limit').join(',');
      if (/^\d+$/.test(asked)) query.set('limit', String(Math.min(Number(asked), largest)));
      const call = await decodeCall(endpoint, { ...incoming, query });
      const { limit = fallback, offset = 0 } = call.query;
      const { items, total } = await handle(call, { limit, offset });
      return {
        data: { items },
        pagination: { total, limit, offset, has_more: offset + items.length < total },
      };
    },
  };
}

/** An endpoint whose handler makes the whole body itself. */
export function plainRoute<Params, Query, Body, Value, Wrapped extends Envelope>(
  endpoint: Endpoint<Params, Query, Body, Value, Wrapped>,
  handle: (call: Call<Params, Query, Body>, request: Request) => Promise<unknown>,
): Route<Endpoint<Params, Query, Body, Value, Wrapped>> {
  return {
    endpoint,
    answer: async (incoming) => handle(await decodeCall(endpoint, incoming), incoming.request),
  };
}
