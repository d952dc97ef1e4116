/**
 * An activity of Temporal that lets a workflow go on only if the data is good. Reads DATA_QUALITY_BASE_URL and
 * DATA_QUALITY_API_KEY. Proxy it with a `heartbeatTimeout`, or a cancellation of the workflow does not arrive.
 */
import { ApplicationFailure, Context } from '@temporalio/activity';
import { DataQualityClient } from 'data-quality-client';
import { gate, isGateError } from 'data-quality-client/gate';
import type { GateOptions } from 'data-quality-client/gate';

/** What the history of the workflow keeps of a verdict: no values of rows. */
export interface GateSummary {
  readonly outcome: string;
  readonly reasons: readonly string[];
}

/** The options of a gate that can be written as JSON, as arguments of an activity must. */
export type GateInput = Pick<GateOptions, 'rules' | 'metrics' | 'freshness' | 'failOn' | 'allowEmpty'>;

export function createActivities(client = new DataQualityClient()) {
  return {
    checkDataQuality: async (assetId: string, input: GateInput = {}): Promise<GateSummary> => {
      const context = Context.current();
      try {
        const { outcome, reasons } = await gate(client, assetId, {
          ...input,
          sampleLimit: 0,
          signal: context.cancellationSignal,
          onProgress: (event) => context.heartbeat(event.type === 'started' ? 0 : event.done),
        });
        return { outcome, reasons };
      } catch (error) {
        if (context.cancellationSignal.aborted) throw await context.cancelled;
        if (!isGateError(error)) throw error;
        const { outcome, reasons } = error.verdict;
        throw ApplicationFailure.create({
          message: error.message,
          type: error.code,
          // Checked again, bad data is still bad; what was inconclusive may pass.
          nonRetryable: outcome === 'failed',
          details: [{ outcome, reasons }],
        });
      }
    },
  };
}
