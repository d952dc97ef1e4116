/** A value as an object whose fields may be anything; an empty one if it is not an object. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  // What is not an array or null here is an object of JSON, whose keys are texts.
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** A status or severity for comparison; `undefined` if it is not a text. */
export function normalize(word: unknown): string | undefined {
  return typeof word === 'string' ? word.trim().toLowerCase() : undefined;
}

/** A status as it reads in a sentence. */
export function describeStatus(status: unknown): string {
  if (status === undefined || status === null || normalize(status) === '') return 'no status';
  return typeof status === 'string' ? `the status "${status}"` : 'a status that is not a text';
}

/** A value of a response as a text to show: a text as it is, nothing for null, everything else as JSON. */
export function displayText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
