import type { Freshness } from '../contract/freshness.ts';
import { DataQualityError } from '../errors/data-quality-error.ts';
import { asRecord } from '../judgement/field.ts';
import { assessFreshness } from '../judgement/freshness.ts';

/** The data of an asset is older than allowed, or its freshness is unknown. */
export class StaleDataError extends DataQualityError {
  override readonly name = 'StaleDataError' as const;
  readonly code = 'STALE_DATA' as const;
  /** `failed` if the data is stale, `inconclusive` if its freshness is not known. */
  readonly outcome: 'failed' | 'inconclusive';
  /** The last response of the freshness endpoint. */
  readonly freshness: Freshness;
  /** Age of the data in minutes; `undefined` if the service does not know it. */
  readonly ageMinutes: number | undefined;
  /** The age that was allowed, in minutes; `undefined` if the service judged by its own threshold. */
  readonly thresholdMinutes: number | undefined;

  constructor(assetId: string, freshness: Freshness, thresholdMinutes: number | undefined) {
    const { outcome, predicate = 'not known to be fresh' } = assessFreshness(freshness, {
      maxAgeMinutes: thresholdMinutes,
    });
    // Without validation of responses, every field can be anything.
    const { asset, data_age_minutes: age } = asRecord(freshness);
    super(`Asset "${typeof asset === 'string' ? asset : assetId}" is ${predicate}.`);
    this.outcome = outcome === 'failed' ? 'failed' : 'inconclusive';
    this.freshness = freshness;
    this.ageMinutes = typeof age === 'number' ? age : undefined;
    this.thresholdMinutes = thresholdMinutes;
  }
}
