import pLimit from 'p-limit';

import type { DataQualityClient } from '../client.ts';
import { buildVerdict, type CheckResults } from './build-verdict.ts';
import { Deadline } from './deadline.ts';
import { findUnmatched } from './find-unmatched.ts';
import { gateError } from './gate-error.ts';
import { inspectAsset } from './inspect-asset.ts';
import { type Inspection, labelsOfItem } from './inspection.ts';
import type { GateOptions } from './options.ts';
import { Progress } from './progress.ts';
import { type ResolvedGateOptions, resolveOptions } from './resolve-options.ts';
import type { Verdict } from './verdict.ts';

/**
 * Checks the active rules of one or several assets now, and if asked their freshness and metrics, and returns one
 * verdict. Freshness comes first, so that what is waited for is what is checked. A check that errors affects no
 * other. Only `passed` opens the gate: an `error`, an `unknown`, a table without rows, a metric without a value, a
 * name in the selection that matches nothing active, and a deadline are inconclusive. Needs the scope `read-write`.
 *
 * @throws {InvalidRequestError} if an option can't be used.
 * @throws {GateFailedError} if the data is bad, unless `throw` is false.
 * @throws {GateInconclusiveError} if it is inconclusive, unless `throw` is false. Both have the `verdict`.
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
  const resolved = resolveOptions(assetIds, options);
  const startedAt = new Date();
  const began = performance.now();
  const deadline = new Deadline(options.timeout, options.signal);
  let results: CheckResults;
  try {
    results = await inspect(client, resolved, deadline);
  } finally {
    deadline.close();
  }
  const verdict = buildVerdict(results, startedAt, Math.round(performance.now() - began));
  if (verdict.outcome !== 'passed' && options.throw !== false) throw gateError(verdict);
  return verdict;
}

async function inspect(
  client: DataQualityClient,
  options: ResolvedGateOptions,
  deadline: Deadline,
): Promise<CheckResults> {
  const inspection: Inspection = {
    client,
    options,
    deadline,
    progress: new Progress(options.onProgress),
    labels: new Map(),
    limit: pLimit(options.concurrency),
  };
  const assets = await Promise.all(options.assetIds.map((assetId) => inspectAsset(inspection, assetId)));
  const unmatched = findUnmatched(
    options,
    assets.map(({ listed }) => listed),
    (item) => labelsOfItem(inspection, item),
  );
  return {
    checks: assets.flatMap(({ checks }) => checks),
    freshness: assets.flatMap(({ freshness }) => freshness),
    metrics: assets.flatMap(({ metrics }) => metrics),
    problems: [...assets.flatMap(({ problems }) => problems), ...unmatched],
  };
}
