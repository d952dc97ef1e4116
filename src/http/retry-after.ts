/**
 * The wait a `Retry-After` header asks for, in ms: seconds (`120`) or an HTTP date; `undefined` if it says
 * nothing that can be understood.
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const header = headers.get('retry-after')?.trim();
  if (!header) return undefined;
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
