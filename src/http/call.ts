// How a call travels: headers, attempts, time, status; never a resource, a manifest or freshness.

import type { Endpoint } from '../contract/endpoint.ts';
import { ApiPromise, type ApiResponse } from './api-promise.ts';
import { CallDeadline } from './call-deadline.ts';
import { CallRun } from './call-run.ts';
import { captureCaller } from './caller-stack.ts';
import { type CallInput, encode } from './encode.ts';
import { checkRequestOptions } from './request-options.ts';
import { retryWhile } from './retry.ts';
import type { RequestOptions, Settings } from './settings.ts';

/** Calls an endpoint: the one way from a resource method to the service and back. */
export type Call = <Params, Query, Body, Response>(
  endpoint: Endpoint<Params, Query, Body, Response>,
  input: CallInput,
  options?: RequestOptions,
) => ApiPromise<Response>;

/** Makes the function through which every resource calls the service. */
export function createCall(settings: Settings): Call {
  return function call<Params, Query, Body, Response>(
    endpoint: Endpoint<Params, Query, Body, Response>,
    input: CallInput,
    options: RequestOptions = {},
  ) {
    const response = complete(settings, endpoint, input, options, captureCaller(call));
    // What the endpoint's schema let through is its response.
    return new ApiPromise(response as Promise<ApiResponse<Response>>);
  };
}

/** Check and encode, then attempts until there is a value or an error. */
async function complete(
  settings: Settings,
  endpoint: Endpoint,
  input: CallInput,
  options: RequestOptions,
  addCaller: (error: unknown) => void,
): Promise<ApiResponse<unknown>> {
  let deadline: CallDeadline | undefined;
  try {
    checkRequestOptions(endpoint, options);
    const encoded = encode(endpoint, input, settings.baseUrl);
    const outgoing = encoded instanceof Promise ? await encoded : encoded;
    deadline = new CallDeadline(options.signal, options.totalTimeout ?? settings.totalTimeout);
    const run = new CallRun(settings, endpoint, outgoing, options, deadline);
    return await retryWhile(
      () => run.attempt(),
      (error, failures) => run.pause(error, failures),
      options.maxRetries ?? settings.maxRetries,
    );
  } catch (error) {
    addCaller(error);
    throw error;
  } finally {
    deadline?.dispose();
  }
}
