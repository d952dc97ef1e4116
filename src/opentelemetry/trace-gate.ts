import { metrics, type Span, SpanStatusCode, trace } from '@opentelemetry/api';

import { isGateError } from '../gate/gate-error.ts';
import type { Verdict } from '../gate/verdict.ts';
import { recordError } from './record-error.ts';
import { scope } from './scope.ts';

/**
 * Runs a gate inside of a span, below which the calls of a client with `openTelemetryHooks` make theirs, and returns or
 * throws what the gate does. The span has the outcome and the counts, and is an error unless the gate passed.
 *
 * @throws whatever the gate throws.
 *
 * @example
 * const verdict = await traceGate(() => gate(client, assetId, { freshness: true }));
 */
export async function traceGate(run: () => Promise<Verdict>): Promise<Verdict> {
  return await trace.getTracer(scope).startActiveSpan('gate', async (span) => {
    try {
      const verdict = await run();
      recordVerdict(span, verdict);
      return verdict;
    } catch (error) {
      if (isGateError(error)) recordVerdict(span, error.verdict);
      else recordError(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

function recordVerdict(span: Span, { outcome, exitCode, counts, durationMs, reasons }: Verdict): void {
  const attributes = {
    'data_quality.gate.outcome': outcome,
    ...(outcome !== 'passed' && { 'error.type': `GATE_${outcome.toUpperCase()}` }),
  };
  span.setAttributes({ ...attributes, 'data_quality.gate.exit_code': exitCode });
  for (const [kind, count] of Object.entries(counts)) {
    span.setAttribute(`data_quality.gate.checks.${kind}`, count);
  }
  if (outcome !== 'passed') {
    span.setStatus({ code: SpanStatusCode.ERROR, message: reasons.slice(0, 3).join('; ') });
  }
  const description = 'Duration of gates, by their outcome.';
  metrics
    .getMeter(scope)
    .createHistogram('data_quality.gate.duration', { description, unit: 's' })
    .record(durationMs / 1000, attributes);
}
