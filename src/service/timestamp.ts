/** Writes a time as the interface does: ISO 8601, UTC, whole seconds. */
export function timestamp(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}
