import type { RawResponse } from './transport.ts';

const replacement = '[redacted]';

/**
 * Returns a response without the key, which a service or a proxy may echo. This is the one place that redacts:
 * whatever is shown of a response that failed is made from what this returns.
 */
export function redactResponse(response: RawResponse, key: string): RawResponse {
  const headers = new Headers();
  for (const [name, value] of response.headers) headers.append(name, value.replaceAll(key, replacement));
  return { ...response, headers, text: redactText(response.text, key) };
}

/** JSON may spell the key with escapes, so it is replaced in the values, not in the text. */
function redactText(text: string, key: string): string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return text.replaceAll(key, replacement);
  }
  try {
    return JSON.stringify(body).replaceAll(JSON.stringify(key).slice(1, -1), replacement);
  } catch {
    // Nested deeper than the stack: what can't be searched must not be shown.
    return JSON.stringify('the body is nested too deeply to be shown');
  }
}
