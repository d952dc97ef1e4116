import { isApiError } from '../errors/documented-errors.ts';
import { asRecord } from '../judgement/field.ts';

/** Returns what the service advises about an error, if it does. */
export function suggestionOf(error: unknown): string | undefined {
  if (!isApiError(error)) return undefined;
  const { suggestion } = asRecord(error.details);
  return typeof suggestion === 'string' ? suggestion : undefined;
}
