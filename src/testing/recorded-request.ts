/** A request that arrived at the fake. */
export interface RecordedRequest {
  /** HTTP method, in capitals. */
  readonly method: string;
  /** Path below the base URL, without its query. */
  readonly path: string;
  /** Query parameters; of one given twice, the last. */
  readonly query: Readonly<Record<string, string>>;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** What was sent: parsed if it is JSON, else its text; `undefined` if there was none. */
  readonly body: unknown;
}

/** Describes a request and leaves its body to be read by others. */
export async function recordRequest(request: Request, basePath: string): Promise<RecordedRequest> {
  const { pathname, searchParams } = new URL(request.url);
  const text = await request.clone().text();
  return {
    method: request.method,
    path: pathname.startsWith(basePath) ? pathname.slice(basePath.length) : pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(request.headers),
    body: text === '' ? undefined : parsed(text),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
