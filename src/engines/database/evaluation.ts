import type { Evaluation } from '../../service/evaluation.ts';
import { futureToleranceMinutes } from '../../service/freshness.ts';
import type { FreshnessConfiguration } from '../../server/configuration.ts';
import type { Source } from '../../server/source.ts';
import { toFailure } from '../to-failure.ts';
import { describeFreshness, newestReading } from '../freshness.ts';
import type { DataSource } from './data-source.ts';
import { capture } from './metrics.ts';
import { countInvalid, validateRule } from './validity.ts';

/** Evaluates rules, metrics and freshness inside a database. `now` is in ms since 1970. */
export function createDatabaseEvaluation(
  source: DataSource,
  freshness: readonly FreshnessConfiguration[],
  now: () => number,
): Evaluation {
  return {
    validateRule: async (rule) => validateRule(source, rule),

    checkRule: async (rule, sampleLimit, signal) =>
      toFailure(async () => countInvalid(source.forCaller(signal), rule, sampleLimit)),

    captureMetric: async (metric, signal) => toFailure(async () => capture(source.forCaller(signal), metric)),

    async freshness() {
      const readings = freshness.map(async (one) =>
        describeFreshness(one, async ({ table: path, column: name }) => {
          const table = await source.find(path);
          const column = source.column(table, name);
          const latest = now() + futureToleranceMinutes * 60_000;
          const row = await source.aggregate(table, source.database.dialect.newest(column, latest));
          return newestReading(name, row);
        }),
      );
      return Promise.all(readings);
    },

    async tables() {
      return (await source.list()).map((table) => source.pathOf(table)).toSorted();
    },
  };
}

/** The tables of a database, as the server watches them. */
export function createDatabaseSource(source: DataSource): Source {
  return {
    async scan() {
      const found = await toFailure(async () => source.list());
      if ('error_message' in found) return { problem: found.error_message };
      const tables = found.map((table) => ({
        path: source.pathOf(table),
        columns: table.columns.map(({ name, type }) => ({ name, type })),
      }));
      return { tables };
    },
  };
}
