import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

import { DataQualityClient, type ClientOptions } from '../../src/index.ts';

export const baseUrl = 'https://dq.test';
export const apiKey = 'dq_live_0123456789abcdef';
export const assetId = '6f1c2a52-4b1e-4a52-9d6b-2f3a1f0c7e11';
export const ruleId = 'v_0b6a3c1e-7d4f-4c55-8a8e-5e2c9a1d3f20';
export const metricId = 'm_9f8e7d6c-5b4a-4c3d-8e2f-1a0b9c8d7e6f';

/** A request as the service saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** As it was written on the wire, without its question mark. */
  readonly query: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A service behind MSW that responds to every request with what the test set. */
export interface TestService {
  readonly requests: SeenRequest[];
  /** Answers from now on; the body is sent as JSON unless it is undefined, which is an empty body. */
  answer(body: unknown, status?: number, headers?: Readonly<Record<string, string>>): void;
  /** The one request there was: with the key, and as described. */
  expectRequest(expected: { method: string; path: string; query?: string; body?: unknown }): void;
}

/** Puts a service behind MSW for the tests of a file. */
export function useService(): TestService {
  const requests: SeenRequest[] = [];
  const server = setupServer();
  beforeAll(() => server.listen());
  afterEach(() => {
    server.resetHandlers();
    requests.length = 0;
  });
  afterAll(() => server.close());

  return {
    requests,
    answer(body, status = 200, headers = {}) {
      server.use(
        http.all(`${baseUrl}/*`, async ({ request }) => {
          const { pathname, search } = new URL(request.url);
          requests.push({
            method: request.method,
            path: pathname,
            query: search.slice(1),
            headers: request.headers,
            body: await request.text(),
          });
          return body === undefined
            ? new HttpResponse(null, { status, headers })
            : HttpResponse.json(body as object, { status, headers });
        }),
      );
    },
    expectRequest({ method, path, query = '', body }) {
      expect(requests).toHaveLength(1);
      const [request] = requests;
      expect(request?.method).toBe(method);
      expect(request?.path).toBe(path);
      expect(request?.query).toBe(query);
      expect(request?.headers.get('authorization')).toBe(`Bearer ${apiKey}`);
      expect(request?.headers.get('accept')).toBe('application/json');
      if (body === undefined) {
        expect(request?.body).toBe('');
        expect(request?.headers.get('content-type')).toBeNull();
      } else {
        expect(JSON.parse(request?.body ?? '')).toEqual(body);
        expect(request?.headers.get('content-type')).toBe('application/json');
      }
    },
  };
}

export function createClient(options: ClientOptions = {}): DataQualityClient {
  return new DataQualityClient({ apiKey, baseUrl, rateLimit: false, ...options });
}
