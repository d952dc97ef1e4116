import { beforeEach, vi } from 'vitest';

import { DataQualityClient, type ClientOptions } from '../../src/index.ts';

export const apiKey = 'dq_live_s3cr3t';
export const assetId = '6f1c2a52-4b1e-4a52-9d6b-2f3a1f0c7e11';
export const ruleId = 'v_0b6a3c1e-7d4f-4c55-8a8e-5e2c9a1d3f20';
export const summary = { total_rules: 3, passing: 2, failing: 1, error: 0 };

/** A client without pacing, so that a test sees the retries and nothing else. */
export function connect(server: { readonly url: string }, options: ClientOptions = {}): DataQualityClient {
  return new DataQualityClient({ apiKey, baseUrl: server.url, rateLimit: false, ...options });
}

/** Makes every back-off of a file's tests end at once: full jitter begins at 0. */
export function skipBackOff(): void {
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });
}

/** What a promise rejects with; fails the test if it does not. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`expected a rejection, not ${JSON.stringify(value)}`);
}
