import { isApiError, isDataQualityError } from '../index.ts';
import { asRecord } from '../judgement/field.ts';

/** Writes an error for a model: what happened, and what to do next, so that it does not try the same again. */
export function describeToolError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const suggestion = isApiError(error) ? asRecord(error.details)['suggestion'] : undefined;
  const hints = [typeof suggestion === 'string' ? suggestion : undefined, hintOn(error)];
  return [message, ...hints.filter((hint) => hint !== undefined)].join('\n');
}

function hintOn(error: unknown): string | undefined {
  if (!isDataQualityError(error)) return undefined;
  if ('mayHaveBeenProcessed' in error && error.mayHaveBeenProcessed === true) return mayBeDone;
  return hints[error.code];
}

const mayBeDone =
  'Do not call this tool again before a tool that lists or shows things has told you whether the first call had its effect.';

const unreachable = 'The service cannot be reached. Ask the user to check its address and whether it runs.';

/** What to do about an error, by its code. */
const hints: Readonly<Record<string, string>> = {
  ASSET_NOT_FOUND: 'Ask the user for the UUID of the asset; it cannot be guessed.',
  RULE_NOT_FOUND: 'Take the uuid of a rule from validity_list.',
  METRIC_NOT_FOUND: 'Take the id of a metric from metrics_list.',
  FRESHNESS_NOT_CONFIGURED:
    'The asset has no freshness threshold, so its freshness is not known. It is configured in the service, not with a tool.',
  INVALID_REQUEST: 'Nothing was sent. Correct the input and call the tool again.',
  VALIDATION_ERROR: 'Nothing was changed. Correct the input and call the tool again.',
  UNAUTHORIZED: 'No tool will work. Ask the user to check the key.',
  FORBIDDEN: 'Only tools that read will work with this key. Ask the user whether to use another one.',
  RATE_LIMITED: 'Wait before the next call, and ask for less.',
  ECONNREFUSED: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
};
