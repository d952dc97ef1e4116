import { isDataQualityError } from '../errors/data-quality-error.ts';
import { isApiError } from '../errors/documented-errors.ts';
import { printableJson } from '../printable.ts';
import { suggestionOf } from './suggestion.ts';
import type { Verdict } from './verdict.ts';

/** Writes the verdict as JSON, two spaces a level, its errors as `{ name, code, message, status, suggestion }`. */
export function renderJson(verdict: Verdict): string {
  return `${printableJson(JSON.stringify(verdict, showError, 2))}\n`;
}

/** JSON shows nothing of an error by itself. */
function showError(_key: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message } = error;
  return {
    name,
    ...(isDataQualityError(error) ? { code: error.code } : {}),
    message,
    ...(isApiError(error) ? { status: error.status, suggestion: suggestionOf(error) } : {}),
  };
}
