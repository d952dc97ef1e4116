import type { Endpoint } from '../contract/index.ts';
import { readJson } from './body.ts';
import { decode, decodeQuery, type Refuse } from './decode.ts';
import type { Listing, Slice } from './store.ts';

/** A request that was decoded. */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** A request whose path matched an endpoint. */
export interface Incoming {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** An endpoint and what answers it with the body of a 200. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly answer: (incoming: Incoming) => Promise<unknown>;
}

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
  };
}

/** An endpoint that answers `{ data: value }`; `refuse` makes the 400 of a body of its own. */
export function objectRoute<Params, Query, Body, Value>(
  endpoint: Endpoint<Params, Query, Body, Value>,
  handle: (call: Call<Params, Query, Body>) => Promise<Value>,
  refuse?: Refuse,
): Route {
  return {
    endpoint,
    answer: async (incoming) => ({ data: await handle(await decodeCall(endpoint, incoming, refuse)) }),
  };
}

/** Page size where the query names none, and the largest one; a larger one is lowered to it. */
export interface PageSize {
  readonly fallback: number;
  readonly largest: number;
}

/** An endpoint that answers `{ data: { items }, pagination }` (interface: Pagination and sizes). */
export function listRoute<
  Params,
  Query extends { limit?: number | undefined; offset?: number | undefined },
  Item,
>(
  endpoint: Endpoint<Params, Query, unknown, Item>,
  { fallback, largest }: PageSize,
  handle: (call: Call<Params, Query, unknown>, slice: Slice) => Promise<Listing<Item>>,
): Route {
  return {
    endpoint,
    async answer(incoming) {
      const query = new URLSearchParams(incoming.query);
      const asked = query.get('limit') ?? '';
      if (/^\d+$/.test(asked) && Number(asked) > largest) query.set('limit', String(largest));
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
export function plainRoute<Params, Query, Body>(
  endpoint: Endpoint<Params, Query, Body>,
  handle: (call: Call<Params, Query, Body>, request: Request) => Promise<unknown>,
): Route {
  return {
    endpoint,
    answer: async (incoming) => handle(await decodeCall(endpoint, incoming), incoming.request),
  };
}
