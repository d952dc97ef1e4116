import type { Endpoint } from '../../contract/endpoint.ts';
import { InvalidRequestError, ResponseValidationError } from '../../errors.ts';
import { ApiPromise, type ApiResponse } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { ListValue } from '../decode.ts';
import type { CallInput } from '../encode.ts';
import { Page } from './page.ts';
import { PageItems } from './page-items.ts';
import { walkPages, type WalkedPage } from './page-walk.ts';
import { checkConcurrency } from '../request-options.ts';
import type { RequestOptions } from '../settings.ts';

/** What can be set for one list, besides what holds for each of its requests. */
export interface ListOptions extends RequestOptions {
  /**
   * How many pages an iteration fetches at once; default 1, which is one ahead of the caller. Of a larger number,
   * fewer than twice as many pages wait for a slow caller.
   */
  readonly concurrency?: number | undefined;
}

/** How much of a list is collected. */
export interface ToArrayOptions {
  /** Most items to collect; default all. */
  readonly max?: number | undefined;
}

/**
 * A list: await it for its first page, or iterate it for every item of every page. Its first request is under
 * way at once; iterating it again fetches the other pages again.
 *
 * @example
 * for await (const rule of client.validity.list(assetId, { is_active: true })) console.log(rule.name);
 */
export class PagePromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  readonly #walk: () => AsyncGenerator<WalkedPage<Item>, void>;

  /** @internal */
  constructor(
    response: Promise<ApiResponse<Page<Item>>>,
    walk: () => AsyncGenerator<WalkedPage<Item>, void>,
  ) {
    super(response);
    this.#walk = walk;
  }

  /** Iterates over the items of all pages; one that slides onto a later page meanwhile comes once. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Item, void> {
    this.leaveUnhandled();
    return new PageItems(this.#walk());
  }

  /** Iterates over the pages, as the service returns them. */
  async *pages(): AsyncGenerator<Page<Item>, void> {
    this.leaveUnhandled();
    for await (const { page } of this.#walk()) yield page;
  }

  /** Collects the items of all pages, at most `max`. Throws `InvalidRequestError` if `max` is no whole number. */
  async toArray({ max = Infinity }: ToArrayOptions = {}): Promise<Item[]> {
    if (max !== Infinity && !(Number.isInteger(max) && max >= 0)) {
      throw new InvalidRequestError('toArray', [
        { path: ['max'], message: `must be a whole number, not ${max}` },
      ]);
    }
    const items: Item[] = [];
    if (max === 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }
}

/** Starts a list: its first page now, the others as they are asked for. */
export function requestPages<Params, Query, Body, Item>(
  call: Call,
  endpoint: Endpoint<Params, Query, Body, Item>,
  input: CallInput,
  { concurrency = 1, ...options }: ListOptions = {},
): PagePromise<Item> {
  const query = input.query as (Readonly<Record<string, unknown>> & { readonly offset?: number }) | undefined;

  const request = async (
    offset: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ApiResponse<Page<Item>>> => {
    checkConcurrency(`${endpoint.method} ${endpoint.path}`, concurrency);
    const response = await call(
      endpoint,
      { ...input, query: offset === undefined ? query : { ...query, offset } },
      { ...options, signal },
    ).withResponse();
    // An endpoint whose envelope is `list` decodes to this, with one item of its response type.
    const value = response.data as unknown as ListValue<Item>;
    return { data: new Page(value, offset ?? query?.offset ?? 0, fetchPage), meta: response.meta };
  };
  const fetchPage = async (offset: number, signal = options.signal): Promise<Page<Item>> =>
    (await request(offset, signal)).data;

  const first = request(undefined, options.signal);
  const stuck = (message: string): Error =>
    new ResponseValidationError(
      { method: endpoint.method, path: endpoint.path, attempts: 1 },
      { status: 200, issues: [{ path: ['pagination'], message }], body: undefined },
    );
  return new PagePromise(first, async function* walk() {
    const { data: page } = await first;
    yield* walkPages(page, fetchPage, { concurrency, signal: options.signal, stuck });
  });
}
