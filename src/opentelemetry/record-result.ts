import type { Attributes, Context } from '@opentelemetry/api';

import type { CallEndEvent, ObservedCall } from '../http/hooks.ts';
import type { Instruments } from './instruments.ts';

/** The attributes of what a call is about, named by the parameters of its path. */
export function subjectOf({ params }: ObservedCall): Attributes {
  return Object.fromEntries(
    // asset_id becomes data_quality.asset.id
    Object.entries(params).map(([name, id]) => [`data_quality.${name.replace('_id', '.id')}`, id]),
  );
}

/** Records what a call found out about data: the result of a check, the age of an asset. */
export function recordResult(
  { call, data }: CallEndEvent,
  { checks, checkedRows, invalidPercent, freshnessAge }: Instruments,
  parent: Context,
): void {
  const subject = subjectOf(call);
  // Without validation of responses, any field can be anything.
  const found = (typeof data === 'object' && data !== null ? data : {}) as Readonly<Record<string, unknown>>;
  if (call.name === 'validity.check') {
    const { status, total_rows: rows, invalid_percent: percent } = found;
    checks.add(1, { ...subject, 'data_quality.check.status': String(status) }, parent);
    if (typeof rows === 'number') checkedRows.add(rows, subject, parent);
    // A check that could not be evaluated has found nothing, whatever its percentage says.
    if (typeof rows === 'number' && typeof percent === 'number')
      invalidPercent.record(percent, subject, parent);
  }
  if (call.name === 'freshness.get') {
    const { data_age_minutes: age } = found;
    if (typeof age === 'number') freshnessAge.record(age * 60, subject, parent);
  }
}
