import type { DataQualityClient } from '../client.ts';
import { checkDefinition } from './check-definition.ts';
import type { Change, ChangeAction, Changes, NotApplied } from './changes.ts';
import type { Definition } from './definition.ts';
import { fetchDetails } from './fetch-details.ts';
import { listExisting } from './list-existing.ts';
import { matchRules } from './match-rules.ts';
import { planMetrics } from './plan-metrics.ts';
import { planRules } from './plan-rules.ts';

/** How a plan is made. */
export interface PlanOptions {
  /**
   * How many rules are looked up at once.
   *
   * @default 8
   */
  readonly concurrency?: number | undefined;
  /** Cancels the requests under way; the call then throws. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Compares an asset with its definition and returns what `apply` would do, one entry for each rule and metric of
 * either. Changes nothing; a key with the scope `read-only` is enough.
 *
 * A definition describes the whole asset: what it neither describes nor lists under `keep` is planned for deletion.
 * `error_message`, `percentile_value` and `group_by_columns` are in no response; each entry that has them lists them
 * as `uncompared`. What the service has no endpoint for, freshness and destinations, is listed as `notApplied`.
 *
 * @throws {InvalidRequestError} if the definition is not valid.
 * @throws {ApiError} if the service refuses a request.
 *
 * @example
 * const definition = parseDefinition(await readFile('rules.yaml', 'utf8'));
 * const changes = await plan(client, assetId, definition);
 * if (hasChanges(changes)) console.log(renderChanges(changes));
 */
export async function plan(
  client: DataQualityClient,
  assetId: string,
  definition: Definition,
  { concurrency = 8, signal }: PlanOptions = {},
): Promise<Changes> {
  const checked = checkDefinition(definition);
  const existing = await listExisting(client, assetId, { concurrency, signal });
  const keep = new Set(checked.keep?.map(({ id }) => id));
  const rules = existing.rules.filter(({ uuid }) => !keep.has(uuid));
  const metrics = existing.metrics.filter(({ id }) => !keep.has(id));
  const kept = [...existing.rules.map(({ uuid }) => uuid), ...existing.metrics.map(({ id }) => id)].filter(
    (id) => keep.has(id),
  );
  const matches = matchRules(checked, rules);
  const candidates = matches.flatMap((match) => match.candidates);
  const details = await fetchDetails(client, assetId, candidates, { concurrency, signal });
  // What is gone by now is not a candidate, and need not be deleted either.
  const present = rules.filter((rule) => details.has(rule.uuid) || !candidates.includes(rule));
  const changes = [...planRules(matches, present, details), ...planMetrics(checked, metrics)];
  return { assetId, ...group(changes), kept, notApplied: findNotApplied(checked) };
}

function findNotApplied({ destinations = [], freshness, tables }: Definition): NotApplied[] {
  const expectations = [[null, { freshness }] as const, ...Object.entries(tables)];
  return [
    ...expectations
      .filter(([, expected]) => expected.freshness !== undefined)
      .map(([name]) => ({ part: 'freshness' as const, name })),
    ...destinations.map(({ name, url }) => ({ part: 'destination' as const, name: name ?? originOf(url) })),
  ];
}

/** The path of an address may contain a secret. */
function originOf(url: string): string {
  return new URL(url).origin;
}

function group(changes: readonly Change[]): Pick<Changes, ChangeAction> {
  const of = <Action extends ChangeAction>(action: Action): Extract<Change, { action: Action }>[] =>
    changes.filter((change): change is Extract<Change, { action: Action }> => change.action === action);
  return {
    create: of('create'),
    update: of('update'),
    replace: of('replace'),
    delete: of('delete'),
    unchanged: of('unchanged'),
  };
}
