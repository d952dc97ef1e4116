import type { CapturedSnapshot } from '../index.ts';
import { asRecord, displayText } from '../judgement/field.ts';

/** The group of a snapshot in words, such as `country = NL`; `undefined` for a metric without groups. */
export function groupOf(snapshot: Pick<CapturedSnapshot, 'group_values'>): string | undefined {
  const group = Object.entries(asRecord(snapshot.group_values));
  if (group.length === 0) return undefined;
  return group.map(([column, value]) => `${column} = ${displayText(value) || 'null'}`).join(', ');
}
