import type { Endpoint, Schema } from '../contract/endpoint.ts';
import type { Issue } from '../contract/issue.ts';
import { InvalidRequestError } from '../errors/invalid-request-error.ts';
import { check } from '../contract/check.ts';
import { type FileInput, openMultipart } from './multipart.ts';

/** What a resource method hands over: the values for the path, the query and the body. */
export interface CallInput {
  readonly params: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** A request that is ready to be sent, more than once if necessary. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  /** Path below the base address, without the query: what errors and log lines show. */
  readonly path: string;
  readonly contentType: string | undefined;
  /** Makes the body again for each attempt. */
  readonly body: (() => NonNullable<RequestInit['body']>) | undefined;
}

/** What a query's schema lets through; a list is sent separated by commas. */
type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Checks the input of a call and turns it into a request; throws `InvalidRequestError` before any I/O. */
export function encode(
  endpoint: Endpoint,
  input: CallInput,
  baseUrl: string,
): OutgoingRequest | Promise<OutgoingRequest> {
  const subject = nameOf(endpoint);
  const issues: Issue[] = [];
  const collect = (schema: Schema | undefined, value: unknown): void => {
    if (schema === undefined) return;
    const checked = check(schema, value);
    if ('issues' in checked) issues.push(...checked.issues);
  };
  collect(endpoint.request.params, input.params);
  // The parameters of a path are arguments of a method, whose names are those of our own options.
  for (const [index, { path, message }] of issues.entries()) {
    issues[index] = { path: path.map((name) => toArgumentName(name)), message };
  }
  collect(endpoint.request.query, input.query ?? {});
  collect(endpoint.request.body, input.body);
  if (endpoint.method === 'GET' && input.body !== undefined) {
    issues.push({ path: ['body'], message: 'a GET has none' });
  }
  if (issues.length > 0) throw new InvalidRequestError(subject, issues);

  const path = encodePath(endpoint.path, input.params as Readonly<Record<string, string>>, subject);
  const url = baseUrl + path + encodeQuery(input.query as Query | undefined);
  const request = { method: endpoint.method, url, path };

  if (endpoint.request.file !== undefined) {
    const opening = openMultipart(endpoint.request.file, input.body as FileInput, subject);
    return opening.then((opened) => ({ ...request, ...opened }));
  }
  if (input.body === undefined) return { ...request, contentType: undefined, body: undefined };
  const json = toJson(input.body, subject);
  return { ...request, contentType: 'application/json', body: () => json };
}

/** What the caller called: the method of the client, or the request itself. */
export function nameOf({ name, method, path }: Pick<Endpoint, 'name' | 'method' | 'path'>): string {
  return name ?? `${method} ${path}`;
}

function toArgumentName(name: PropertyKey): string {
  return String(name).replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Fills in the parameters of a path, each as exactly one segment of it. */
function encodePath(template: string, params: Readonly<Record<string, string>>, subject: string): string {
  let path = '';
  let end = 0;
  for (let start = template.indexOf('{'); start !== -1; start = template.indexOf('{', end)) {
    path += template.slice(end, start);
    end = template.indexOf('}', start) + 1;
    path += encodeSegment(template.slice(start + 1, end - 1), params, subject);
  }
  return path + template.slice(end);
}

function encodeSegment(name: string, params: Readonly<Record<string, string>>, subject: string): string {
  const value = params[name];
  // No encoding keeps a URL parser from resolving these two, and half a surrogate pair has no encoding.
  if (value === undefined || value === '.' || value === '..' || !value.isWellFormed()) {
    throw new InvalidRequestError(subject, [
      { path: [toArgumentName(name)], message: `${JSON.stringify(value)} cannot be a segment of a path` },
    ]);
  }
  return encodeURIComponent(value);
}

function encodeQuery(query: Query | undefined): string {
  if (query === undefined) return '';
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

function toJson(body: unknown, subject: string): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new InvalidRequestError(subject, [{ path: [], message: 'the body is not a JSON value' }], {
      cause,
    });
  }
}
