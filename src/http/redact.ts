/** Replaces the key wherever it stands in a text: a service, or a proxy, may echo what it was sent. */
export function redact(text: string, key: string): string {
  return text.replaceAll(key, '[redacted]');
}
