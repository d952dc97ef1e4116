import type { GateEvent, GateOptions, Verdict } from '../gate/index.ts';
import type { DataQualityClient } from '../index.ts';
import { displayText } from '../judgement/field.ts';
import { startProgress } from './progress.ts';
import type { Session } from './session.ts';
import { stripControlCharacters } from '../printable.ts';

/** Runs a gate and shows its progress; returns the verdict, whatever it is. */
export async function runGate(
  session: Session,
  client: DataQualityClient,
  assets: readonly string[],
  options: GateOptions,
): Promise<Verdict> {
  const { gate } = await import('../gate/index.ts');
  const progress = startProgress();
  const onProgress = (event: GateEvent): void => {
    if (event.type === 'started' || session.signal.aborted) return;
    session.progress = `${event.done} of ${event.total} checks done`;
    progress.step(
      `${event.done}/${event.total} ${event.check.outcome} ${stripControlCharacters(subjectOf(event))}`,
    );
  };
  try {
    const verdict = await gate(client, assets, {
      ...options,
      signal: session.signal,
      onProgress,
      throw: false,
    });
    session.signal.throwIfAborted();
    return verdict;
  } finally {
    progress.end();
  }
}

function subjectOf(event: Exclude<GateEvent, { type: 'started' }>): string {
  if (event.type === 'freshness') {
    const { table_path: table, freshness, assetId } = event.check;
    return `freshness of ${table ?? (displayText(freshness?.asset) || assetId)}`;
  }
  const { table_path, column_name } = event.type === 'rule' ? event.check.rule : event.check.metric;
  const type = event.type === 'rule' ? event.check.rule.rule_type : event.check.metric.metric_type;
  const place = [table_path, column_name].map(displayText).filter(Boolean).join('.');
  return `${displayText(type) || event.type} ${place}`;
}
