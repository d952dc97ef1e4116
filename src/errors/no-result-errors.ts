import { describeIssues, type Issue } from '../contract/issue.ts';
import { type CallDescription, processedAdvice, withAdvice } from './call-description.ts';
import { DataQualityError } from './data-quality-error.ts';

/** A call that ended without a response that can be used. */
abstract class NoResultError extends DataQualityError {
  /** HTTP method of the request. */
  readonly method: string;
  /** Path of the request, without its query. */
  readonly path: string;
  /** How many times the request was sent. */
  readonly attempts: number;
  /** Whether the service may have done what the call asked for; `false` means that it surely did not. */
  readonly mayHaveBeenProcessed: boolean;

  constructor(call: CallDescription, message: string, maybeProcessedNow: boolean, options?: ErrorOptions) {
    const mayHaveBeenProcessed = maybeProcessedNow || call.maybeProcessedBefore === true;
    super(
      withAdvice(`${call.method} ${call.path} ${message}`, processedAdvice(call, mayHaveBeenProcessed)),
      options,
    );
    this.method = call.method;
    this.path = call.path;
    this.attempts = call.attempts;
    this.mayHaveBeenProcessed = mayHaveBeenProcessed;
  }
}

/** The connection failed: host unknown or refused, reset, certificate, redirect; see `code` and `cause`. */
export class ConnectionError extends NoResultError {
  override readonly name = 'ConnectionError' as const;
  /**
   * The system's code, such as `ECONNREFUSED`, `ENOTFOUND` or `ECONNRESET`; `REDIRECTED`; `BAD_PORT` for a port that
   * `fetch` refuses; else `CONNECTION_FAILED`.
   */
  readonly code: string;
  /** Host and port that were called. */
  readonly host: string;

  constructor(
    call: CallDescription,
    failure: {
      readonly code: string;
      readonly host: string;
      readonly reason: string;
      readonly mayHaveBeenProcessed: boolean;
    },
    options?: ErrorOptions,
  ) {
    const { code, host, reason } = failure;
    const what = reason.includes(code) ? reason : `${code}: ${reason}`;
    super(call, `failed on the connection to ${host}: ${what}`, failure.mayHaveBeenProcessed, options);
    this.code = code;
    this.host = host;
  }
}

/** Time was up: that of one attempt (`timeout`) or that of the whole call (`totalTimeout`). */
export class TimeoutError extends NoResultError {
  override readonly name = 'TimeoutError' as const;
  readonly code = 'TIMEOUT' as const;
  /** Which option ended the call. */
  readonly option: 'timeout' | 'totalTimeout';
  /** The value of that option, in ms. */
  readonly timeoutMs: number;

  constructor(
    call: CallDescription,
    limit: { readonly option: 'timeout' | 'totalTimeout'; readonly timeoutMs: number },
    mayHaveBeenProcessed: boolean,
    options?: ErrorOptions,
  ) {
    const { option, timeoutMs } = limit;
    const which = option === 'timeout' ? '' : ' in total';
    super(call, `timed out after ${timeoutMs} ms${which} (${attempts(call)})`, mayHaveBeenProcessed, options);
    this.option = option;
    this.timeoutMs = timeoutMs;
  }
}

/** The caller's signal ended the call; `cause` is the reason of the signal. */
export class AbortError extends NoResultError {
  override readonly name = 'AbortError' as const;
  readonly code = 'ABORTED' as const;

  constructor(call: CallDescription, mayHaveBeenProcessed: boolean, reason: unknown) {
    super(call, `was aborted by its signal (${attempts(call)})`, mayHaveBeenProcessed, { cause: reason });
  }
}

/**
 * A 2xx response whose body can't be used: it is not JSON, has fields of another type, is larger than
 * `maxResponseSize`, or is a list that contradicts itself.
 */
export class ResponseValidationError extends NoResultError {
  override readonly name = 'ResponseValidationError' as const;
  readonly code = 'INVALID_RESPONSE' as const;
  /** HTTP status of the response. */
  readonly status: number;
  /** Everything that is wrong with the body; the message names the first three. */
  readonly issues: readonly Issue[];
  /** The body: parsed if it is JSON, else an excerpt of its text. */
  readonly body: unknown;

  constructor(
    call: CallDescription,
    response: { readonly status: number; readonly issues: readonly Issue[]; readonly body: unknown },
    options?: ErrorOptions,
  ) {
    const { status, issues, body } = response;
    super(call, `returned ${status} with an unexpected body: ${describeIssues(issues, 3)}`, true, options);
    this.status = status;
    this.issues = issues;
    this.body = body;
  }

  override toJSON(): object {
    return { ...super.toJSON(), body: undefined };
  }
}

function attempts(call: CallDescription): string {
  return `${call.attempts} ${call.attempts === 1 ? 'attempt' : 'attempts'}`;
}
