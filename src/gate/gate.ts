import type { DataQualityClient } from '../client.ts';
import { buildVerdict, type CheckResults } from './build-verdict.ts';
import { Deadline } from './deadline.ts';
import { type Demand, toDemand } from './demand.ts';
import { gateError } from './gate-error.ts';
import { findGaps } from './gaps.ts';
import { inspectAsset } from './inspect-asset.ts';
import type { Inspection } from './inspection.ts';
import type { GateOptions } from './options.ts';
import { Progress } from './progress.ts';
import { Slots } from './slots.ts';
import type { Verdict } from './verdict.ts';

/**
 * Checks the active rules of one or several assets now, and if asked their freshness and metrics, and returns one
 * verdict. Where freshness is waited for, the rest follows it. A check that errs touches no other; an `error`, an
 * `unknown`, an empty selection or a deadline is inconclusive, and only `passed` opens the gate. Needs the scope
 * `read-write`.
 *
 * Throws `InvalidRequestError` for options that can't be used, and unless `throw: false` `GateFailedError` or
 * `GateInconclusiveError`, each with its `verdict`.
 *
 * @example
 * const verdict = await gate(client, assetId, { freshness: true, failOn: 'critical', throw: false });
 * if (verdict.outcome !== 'passed') console.error(renderText(verdict));
 */
export async function gate(
  client: DataQualityClient,
  assetIds: string | readonly string[],
  options: GateOptions = {},
): Promise<Verdict> {
  const demand = toDemand(assetIds, options);
  const startedAt = new Date();
  const began = performance.now();
  const deadline = new Deadline(options.timeout, options.signal);
  let results: CheckResults;
  try {
    results = await inspect(client, demand, deadline);
  } finally {
    deadline.close();
  }
  const verdict = buildVerdict(results, startedAt, Math.round(performance.now() - began));
  if (verdict.outcome !== 'passed' && options.throw !== false) throw gateError(verdict);
  return verdict;
}

async function inspect(client: DataQualityClient, demand: Demand, deadline: Deadline): Promise<CheckResults> {
  const atOnce = Math.max(1, Math.min(demand.assetIds.length, demand.concurrency));
  const slots = new Slots(atOnce);
  const inspection: Inspection = {
    client,
    demand,
    deadline,
    progress: new Progress(demand.onProgress),
    concurrency: Math.floor(demand.concurrency / atOnce),
  };
  const assets = await Promise.all(
    demand.assetIds.map((assetId) => inspectAsset(inspection, assetId, slots)),
  );
  const results: CheckResults = {
    checks: assets.flatMap(({ checks }) => checks),
    freshness: assets.flatMap(({ freshness }) => freshness),
    metrics: assets.flatMap(({ metrics }) => metrics),
    problems: assets.flatMap(({ problems }) => problems),
  };
  return { ...results, problems: [...results.problems, ...findGaps(demand, results)] };
}
