import type { Evaluation } from '../../service/evaluation.ts';
import type { FreshnessConfiguration } from '../../server/configuration.ts';
import { toFailure } from '../to-failure.ts';
import type { DataSource } from './data-source.ts';
import type { Engine } from './engine.ts';
import { readFreshness } from './freshness.ts';
import { capture } from './metrics.ts';
import { countInvalid, validateRule } from './validity.ts';
import { evenWithoutCopy } from './without-copy.ts';

/** Evaluates rules, metrics and freshness over the files as they are. `freshness` is configured by the asset's id; `now` is in ms since 1970. */
export function createEvaluation(
  source: DataSource<Engine>,
  freshness: ReadonlyMap<string, readonly FreshnessConfiguration[]>,
  now: () => number,
): Evaluation {
  return {
    validateRule: async (rule) => validateRule(source.engine, rule),

    checkRule: async (rule, sampleLimit, signal) =>
      toFailure(async () =>
        evenWithoutCopy(source.engine, async () =>
          countInvalid(forCaller(source, signal), rule, sampleLimit),
        ),
      ),

    captureMetric: async (metric, signal) =>
      toFailure(async () =>
        evenWithoutCopy(source.engine, async () => capture(forCaller(source, signal), metric)),
      ),

    async freshness(asset) {
      const configured = freshness.get(asset.id) ?? [];
      return Promise.all(configured.map(async (one) => readFreshness(source, asset, one, now())));
    },

    async tables(asset) {
      const { ofAsset } = await source.finder.list(asset.id);
      return [...new Set(ofAsset.map(({ tablePath }) => tablePath))];
    },
  };
}

function forCaller(source: DataSource<Engine>, signal: AbortSignal | undefined): DataSource {
  return { ...source, engine: source.engine.forCaller(signal) };
}
