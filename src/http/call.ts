// How a call travels: headers, attempts, time, status; never a resource, a manifest or freshness.

import type { Endpoint } from '../contract/endpoint.ts';
import { ApiPromise, type ApiResponse } from './api-promise.ts';
import { CallDeadline } from './call-deadline.ts';
import { CallRun } from './call-run.ts';
import { type AddCaller, captureCaller } from './caller-stack.ts';
import { type CallInput, encode, type OutgoingRequest } from './encode.ts';
import type { ObservedCall } from './hooks.ts';
import { checkRequestOptions } from './request-options.ts';
import type { RequestOptions, Settings } from './settings.ts';

/**
 * Calls an endpoint: the one way from a resource method to the service and back. `addCaller` is that of a method which
 * makes several calls: capturing a stack takes a tenth of the time of a small call.
 */
export type Call = <Params, Query, Body, Response>(
  endpoint: Endpoint<Params, Query, Body, Response>,
  input: CallInput,
  options?: RequestOptions,
  addCaller?: AddCaller,
) => ApiPromise<Response>;

/** Makes the function through which every resource calls the service. */
export function createCall(settings: Settings): Call {
  return function call<Params, Query, Body, Response>(
    endpoint: Endpoint<Params, Query, Body, Response>,
    input: CallInput,
    options: RequestOptions = {},
    addCaller: AddCaller = captureCaller(call),
  ) {
    const response = complete(settings, endpoint, input, options, addCaller);
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
  addCaller: AddCaller,
): Promise<ApiResponse<unknown>> {
  let deadline: CallDeadline | undefined;
  try {
    checkRequestOptions(endpoint, options);
    const encoded = encode(endpoint, input, settings.baseUrl);
    const outgoing = encoded instanceof Promise ? await encoded : encoded;
    deadline = new CallDeadline(options.signal, options.totalTimeout ?? settings.totalTimeout);
    const call = observedCall(endpoint, input, outgoing);
    return await new CallRun(settings, endpoint, outgoing, call, options, deadline).complete();
  } catch (error) {
    addCaller(error);
    throw error;
  } finally {
    deadline?.dispose();
  }
}

function observedCall(
  { name, path: route }: Endpoint,
  { params }: CallInput,
  { method, path, url }: OutgoingRequest,
): ObservedCall {
  return {
    name,
    method,
    path,
    // The path of an endpoint without a name has no parameters: it is the caller's own.
    route: name === undefined ? undefined : route,
    // Checked by the schema of the endpoint.
    params: params as Readonly<Record<string, string>>,
    url: url.replace(/\?.*$/s, ''),
  };
}
