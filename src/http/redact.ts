/** Replaces the key wherever it stands in a text: a service, or a proxy, may echo what it was sent. */
export function redact(text: string, key: string): string {
  return text.replaceAll(key, '[redacted]');
}

/** Replaces the key in every string of a JSON value, however the text it came from had escaped it. */
export function redactValue(value: unknown, key: string): unknown {
  if (value === undefined) return undefined;
  try {
    return JSON.parse(redact(JSON.stringify(value), JSON.stringify(key).slice(1, -1)));
  } catch {
    // Nested deeper than the stack: what can't be searched must not be shown.
    return undefined;
  }
}
