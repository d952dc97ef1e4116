import { isObject, parseJson } from './json.ts';

/** What the body of an error says, as far as it can be understood; nothing of it is needed to report the status. */
export interface ErrorBody {
  /** What happened, for programs. */
  readonly code?: string | undefined;
  /** What happened, for people. */
  readonly message?: string | undefined;
  /** What the service added. */
  readonly details?: object | undefined;
  /** The argument that was refused, such as `rule_config.pattern`. */
  readonly field?: string | undefined;
}

/** A word for programs, such as `RULE_NOT_FOUND`. */
const codePattern = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/;

/**
 * Reads `{ error: { code, message, details } }` and its usual variants: `error` as a text or a code beside `message`,
 * both at the top, `{ detail: … }` as a text or as a list of located messages.
 */
export function readErrorBody(text: string): ErrorBody {
  const body = parseJson(text)?.value;
  if (!isObject(body)) return {};
  const error = isObject(body['error']) ? body['error'] : {};
  const word = nonEmpty(body['error']);
  const wordIsCode = word !== undefined && codePattern.test(word);
  const located = readLocated(body['detail']);
  const details = [error['details'], body['details']].find(
    (value): value is object => typeof value === 'object' && value !== null,
  );
  return {
    code: nonEmpty(error['code']) ?? nonEmpty(body['code']) ?? (wordIsCode ? word : undefined),
    message:
      nonEmpty(error['message']) ??
      nonEmpty(body['message']) ??
      nonEmpty(body['error_description']) ??
      nonEmpty(body['detail']) ??
      located?.message ??
      (wordIsCode ? 'the response has no message' : word) ??
      nonEmpty(body['title']),
    details,
    field:
      [details, error, body].map((place) => nonEmpty(isObject(place) && place['field'])).find(Boolean) ??
      located?.field,
  };
}

/** Reads `[{ loc: ['query', 'page'], msg: '…' }]`, as several frameworks refuse arguments. */
function readLocated(
  detail: unknown,
): { message: string | undefined; field: string | undefined } | undefined {
  if (!Array.isArray(detail)) return undefined;
  const issues = detail.filter(isObject).map(({ loc, msg }) => ({
    location: Array.isArray(loc) ? loc.filter(isName).join('.') : '',
    message: nonEmpty(msg) ?? 'was refused',
  }));
  const messages = issues
    .slice(0, 3)
    .map(({ location, message }) => (location === '' ? message : `${location}: ${message}`));
  if (issues.length > 3) messages.push(`and ${issues.length - 3} more`);
  return {
    message: messages.join('; ') || undefined,
    field: issues.find(({ location }) => location !== '')?.location,
  };
}

function isName(part: unknown): part is string | number {
  return typeof part === 'string' || typeof part === 'number';
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
