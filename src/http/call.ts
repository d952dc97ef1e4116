// How a call travels: headers, attempts, time, status; never a resource, a manifest or freshness.

import type { Endpoint } from '../contract/endpoint.ts';
import { ApiPromise, type ApiResponse } from './api-promise.ts';
import { CallRun } from './call-run.ts';
import { type CallInput, encode, type OutgoingRequest } from './encode.ts';
import type { ObservedCall } from './hooks.ts';
import { notify } from './notify.ts';
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
  return <Params, Query, Body, Response>(
    endpoint: Endpoint<Params, Query, Body, Response>,
    input: CallInput,
    options: RequestOptions = {},
  ) => {
    const response = complete(settings, endpoint, input, options);
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
): Promise<ApiResponse<unknown>> {
  checkRequestOptions(endpoint, options);
  const encoded = encode(endpoint, input, settings.baseUrl);
  const outgoing = encoded instanceof Promise ? await encoded : encoded;
  const call = observedCall(settings, endpoint, input, outgoing);
  const run = new CallRun(settings, endpoint, outgoing, call, options);
  notify(settings, 'onCallStart', { call });
  try {
    const response = await retryWhile(
      () => run.attempt(),
      (error, failures) => run.pause(error, failures),
      options.maxRetries ?? settings.maxRetries,
    );
    run.end({ data: response.data, error: undefined });
    return response;
  } catch (error) {
    run.end({ data: undefined, error });
    throw error;
  }
}

function observedCall(
  { baseUrl }: Settings,
  { name, path: route }: Endpoint,
  { params }: CallInput,
  { method, path }: OutgoingRequest,
): ObservedCall {
  return {
    name,
    method,
    path,
    // The path of an endpoint without a name has no parameters: it is the caller's own.
    route: name === undefined ? undefined : route,
    // Checked by the schema of the endpoint.
    params: params as Readonly<Record<string, string>>,
    url: baseUrl + path,
  };
}
