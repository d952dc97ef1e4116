import type { Endpoint } from '../../contract/endpoint.ts';
import { InvalidRequestError } from '../../errors/invalid-request-error.ts';
import { ResponseValidationError } from '../../errors/no-result-errors.ts';
import { ApiPromise, type ApiResponse } from '../api-promise.ts';
import type { Call } from '../call.ts';
import { captureCaller } from '../caller-stack.ts';
import type { ListValue } from '../decode.ts';
import { type CallInput, nameOf } from '../encode.ts';
import { ItemIterator } from './item-iterator.ts';
import { Page, type PageSource } from './page.ts';
import { walkPages, type WalkedPage } from './page-walk.ts';
import { checkConcurrency, wholeNumber } from '../request-options.ts';
import type { RequestOptions } from '../settings.ts';

/** Options of a list, besides those of each of its requests. */
export interface ListOptions extends RequestOptions {
  /**
   * How many pages an iteration fetches at once; 1 is one ahead of the caller. With a larger number, fewer than twice
   * as many pages wait for a slow caller.
   *
   * @default 1
   */
  readonly concurrency?: number | undefined;
}

/** How much of a list is collected. */
export interface ToArrayOptions {
  /**
   * Most items to collect.
   *
   * @default Infinity
   */
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

  /**
   * Iterates over the items of all pages; one that moves to a later page meanwhile comes once.
   *
   * @throws what the list method throws; `ResponseValidationError` if the service contradicts itself about where the
   * list ends.
   */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    this.leaveUnhandled();
    return new ItemIterator(this.#walk());
  }

  /** Iterates over the pages, as the service returns them. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    this.leaveUnhandled();
    for await (const { page } of this.#walk()) yield page;
  }

  /**
   * Collects the items of all pages, at most `max`.
   *
   * @throws {InvalidRequestError} if `max` is not a whole number.
   */
  async toArray({ max = Infinity }: ToArrayOptions = {}): Promise<Item[]> {
    this.leaveUnhandled();
    const message = max === Infinity ? undefined : wholeNumber(max, 0);
    if (message !== undefined) throw new InvalidRequestError('toArray', [{ path: ['max'], message }]);
    const items: Item[] = [];
    if (max === 0) return items;
    for await (const { newItems } of this.#walk()) {
      for (const item of newItems) {
        items.push(item);
        if (items.length >= max) return items;
      }
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
  const addCaller = captureCaller();
  const query = input.query as
    (Readonly<Record<string, unknown>> & { readonly offset?: number; readonly limit?: number }) | undefined;

  const request = async (
    offset: number | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ApiResponse<Page<Item>>> => {
    checkConcurrency(nameOf(endpoint), concurrency);
    const response = await call(
      endpoint,
      { ...input, query: offset === undefined ? query : { ...query, offset } },
      { ...options, signal },
    ).withResponse();
    // An endpoint whose envelope is a list decodes to this, with one item of its response type.
    const value = response.data as unknown as ListValue<Item>;
    return { data: new Page(value, offset ?? query?.offset ?? 0, source), meta: response.meta };
  };
  const source: PageSource<Item> = {
    fetchPage: async (offset, signal = options.signal) => (await request(offset, signal)).data,
    // The service may allow fewer items per page than were asked for; no page it calls full has fewer than its default.
    fullSize: Math.max(1, Math.min(query?.limit ?? Infinity, endpoint.pageSize?.default ?? 1)),
    contradiction: (message) =>
      new ResponseValidationError(
        { method: endpoint.method, path: endpoint.path, attempts: 1 },
        { status: 200, issues: [{ path: ['pagination'], message }], body: undefined },
      ),
  };

  const first = request(undefined, options.signal);
  return new PagePromise(first, async function* walk() {
    const walkOptions = { concurrency, signal: options.signal, contradiction: source.contradiction };
    try {
      const { data: page } = await first;
      yield* walkPages(page, source.fetchPage, walkOptions);
    } catch (error) {
      addCaller(error);
      throw error;
    }
  });
}
