/** A response that is not a success: its status and what the error envelope says. */
export class Problem extends Error {
  override readonly name = 'Problem' as const;
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Headers of this response, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    answer: { readonly status: number; readonly code: string; readonly message: string },
    details: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(answer.message);
    this.status = answer.status;
    this.code = answer.code;
    this.details = details;
    this.headers = headers;
  }
}

/** Encodes a problem as the response that reports it. */
export function encodeProblem(problem: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  const { status, code, message, details } = problem;
  return Response.json(
    { error: { code, message, details } },
    { status, headers: { ...headers, ...problem.headers } },
  );
}

/** 400: the request cannot be parsed. */
export function unreadableRequest(): Problem {
  return new Problem({ status: 400, code: 'VALIDATION_ERROR', message: 'The request cannot be parsed' });
}

/** 400: the connection ended before the body did. */
export function incompleteBody(): Problem {
  return new Problem({ status: 400, code: 'VALIDATION_ERROR', message: 'The body is incomplete' });
}

/** 400: a field was refused. */
export function invalidField(field: string, error: string): Problem {
  return new Problem(
    { status: 400, code: 'VALIDATION_ERROR', message: `Invalid ${field}: ${error}` },
    { field, error },
  );
}

/** 400: a metric that needs a column came without one. */
export function missingMetricColumn(metricType: string): Problem {
  return new Problem(
    {
      status: 400,
      code: 'VALIDATION_ERROR',
      message: `column_name is required for the metric ${metricType}`,
    },
    { field: 'column_name', metric_type: metricType },
  );
}

/** 401: no key, or one the service does not know. */
export function unauthorized(message: string): Problem {
  return new Problem({ status: 401, code: 'UNAUTHORIZED', message }, {}, { 'WWW-Authenticate': 'Bearer' });
}

/** 403: the key's scope is too low. */
export function forbidden(currentScope: string, requiredScope: string): Problem {
  return new Problem(
    {
      status: 403,
      code: 'FORBIDDEN',
      message: `This operation requires a key with the scope ${requiredScope}`,
    },
    { current_scope: currentScope, required_scope: requiredScope },
  );
}

/** 404: no such asset. */
export function assetNotFound(assetId: string, suggestion: string): Problem {
  return new Problem(
    { status: 404, code: 'ASSET_NOT_FOUND', message: 'The asset does not exist or is not accessible' },
    { asset_id: assetId, suggestion },
  );
}

/** 404: no such rule. */
export function ruleNotFound(ruleId: string): Problem {
  return new Problem(
    { status: 404, code: 'RULE_NOT_FOUND', message: 'No validity rule of this asset has this id' },
    {
      rule_id: ruleId,
      ...(/^\d+$/.test(ruleId) && { suggestion: 'Paths take the uuid of a rule, v_…, not its numeric id' }),
    },
  );
}

/** 404: no such metric. */
export function metricNotFound(metricId: string): Problem {
  return new Problem(
    { status: 404, code: 'METRIC_NOT_FOUND', message: 'No metric of this asset has this id' },
    { metric_id: metricId },
  );
}

/** 404: no endpoint has this path. */
export function endpointNotFound(path: string): Problem {
  return new Problem({ status: 404, code: 'NOT_FOUND', message: 'No endpoint has this path' }, { path });
}

/** 405: the path has endpoints, but none of this method. */
export function methodNotAllowed(method: string, allowed: readonly string[]): Problem {
  return new Problem(
    { status: 405, code: 'METHOD_NOT_ALLOWED', message: `${method} is not allowed here` },
    { allowed },
    { Allow: allowed.join(', ') },
  );
}

/** 413: the body is larger than the service reads. */
export function bodyTooLarge(limitBytes: number): Problem {
  return new Problem(
    { status: 413, code: 'PAYLOAD_TOO_LARGE', message: `The body is larger than ${limitBytes} bytes` },
    { limit_bytes: limitBytes },
  );
}

/** 415: the body is not of the kind the endpoint reads. */
export function unsupportedMediaType(expected: string): Problem {
  return new Problem(
    { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', message: `Content-Type must be ${expected}` },
    { expected },
  );
}

/** 422: the asset has no freshness configuration. */
export function freshnessNotConfigured(assetId: string): Problem {
  return new Problem(
    { status: 422, code: 'FRESHNESS_NOT_CONFIGURED', message: 'No freshness is configured for this asset' },
    { asset_id: assetId },
  );
}

/** 429: the key has used up its requests. */
export function rateLimited(retryAfterSeconds: number): Problem {
  return new Problem(
    { status: 429, code: 'RATE_LIMITED', message: `Too many requests, try again in ${retryAfterSeconds} s` },
    { retry_after: retryAfterSeconds },
    { 'Retry-After': String(retryAfterSeconds) },
  );
}

/** 500: says nothing about its cause. */
export function internalError(): Problem {
  return new Problem({ status: 500, code: 'INTERNAL_ERROR', message: 'Internal error' });
}
