import { type Span, SpanStatusCode } from '@opentelemetry/api';

import { isDataQualityError } from '../errors/data-quality-error.ts';

/** Returns what `error.type` says of an error: a word of which there are few. */
export function errorTypeOf(error: unknown): string {
  if (isDataQualityError(error)) return error.code;
  return error instanceof Error ? error.name : '_OTHER';
}

/** Makes a span say that it ended in an error, and in which one. */
export function recordError(span: Span, error: unknown): void {
  span.setAttribute('error.type', errorTypeOf(error));
  const status = { code: SpanStatusCode.ERROR };
  span.setStatus(error instanceof Error ? { ...status, message: error.message } : status);
}
