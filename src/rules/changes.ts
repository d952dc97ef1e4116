import type { CreateMetric } from '../contract/create-metric.ts';
import type { UpdateMetric } from '../contract/metrics.ts';
import type { CreateValidityRule } from '../contract/create-rule.ts';
import type { UpdateValidityRule } from '../contract/validity.ts';
import type { Labels } from './labels.ts';

/** One field in which the service and the definition differ. */
export interface Difference {
  /** The path of the field, such as `rule_config.max`. */
  readonly field: string;
  /** What the service has. */
  readonly from: unknown;
  /** What the definition says. */
  readonly to: unknown;
}

/** What a change is about, and what it takes to make it. */
export interface ChangeSubject<Kind extends 'rule' | 'metric'> extends Labels {
  /** Whether it is a rule or a metric. */
  readonly kind: Kind;
  /** The table, as `<catalog>.<schema>.<table>`. */
  readonly table_path: string;
  /** Null for what concerns the table as a whole. */
  readonly column_name: string | null;
  /** Its name, else its type. */
  readonly label: string;
  /** The permission without which `apply` leaves this alone. */
  readonly requires?: 'prune' | 'replace';
}

/** The definition has it, the service has not. */
export interface CreateChange<Kind extends 'rule' | 'metric', Body> extends ChangeSubject<Kind> {
  /** What `apply` does. */
  readonly action: 'create';
  /** The body of the request that creates it. */
  readonly body: Body;
  /** What is created is active; false deactivates it right after. */
  readonly is_active: boolean;
}

/** Both have it, and PATCH can make them equal. */
export interface UpdateChange<Kind extends 'rule' | 'metric', Patch> extends ChangeSubject<Kind> {
  /** What `apply` does. */
  readonly action: 'update';
  /** The id that the service gave it. */
  readonly id: string;
  /** The body of the request that changes it. */
  readonly patch: Patch;
  /** The fields that differ. */
  readonly differences: readonly Difference[];
  /** Fields of the definition that no response has, so that a difference could not be seen. */
  readonly uncompared: readonly string[];
}

/** Both have it, and differ in what PATCH can't change: a new one is created, then the old one deleted. */
export interface ReplaceChange extends ChangeSubject<'rule'> {
  /** What `apply` does. */
  readonly action: 'replace';
  /** The id of the rule to replace. */
  readonly id: string;
  /** The body of the request that creates the new rule. */
  readonly body: CreateValidityRule;
  /** Whether the new rule is active; if not, it is deactivated right after it is created. */
  readonly is_active: boolean;
  /** The fields that differ. */
  readonly differences: readonly Difference[];
  /** Fields of the definition that no response has, so that a difference could not be seen. */
  readonly uncompared: readonly string[];
}

/** The service has it, the definition has not, or not twice. */
export interface DeleteChange<Kind extends 'rule' | 'metric'> extends ChangeSubject<Kind> {
  /** What `apply` does. */
  readonly action: 'delete';
  /** The id that the service gave it. */
  readonly id: string;
  /** Why it is to go, in a few words. */
  readonly reason: string;
}

/** Both have it and are equal in all that can be compared. */
export interface UnchangedChange<Kind extends 'rule' | 'metric'> extends ChangeSubject<Kind> {
  /** What `apply` does: nothing. */
  readonly action: 'unchanged';
  /** The id that the service gave it. */
  readonly id: string;
  /** Fields of the definition that no response includes, so that a difference could not be seen. */
  readonly uncompared: readonly string[];
}

/** What is to become of one rule. */
export type RuleChange =
  | CreateChange<'rule', CreateValidityRule>
  | UpdateChange<'rule', UpdateValidityRule>
  | ReplaceChange
  | DeleteChange<'rule'>
  | UnchangedChange<'rule'>;

/** What is to become of one metric; PATCH changes all that is not in its key, so none is replaced. */
export type MetricChange =
  | CreateChange<'metric', CreateMetric>
  | UpdateChange<'metric', UpdateMetric>
  | DeleteChange<'metric'>
  | UnchangedChange<'metric'>;

/** What is to become of one rule or metric. */
export type Change = RuleChange | MetricChange;

/** What can become of a rule or metric. */
export type ChangeAction = Change['action'];

/** How the service differs from a definition: one entry for each rule and metric of either. Plain JSON. */
export interface Changes {
  /** The asset that was compared. */
  readonly assetId: string;
  /** In the definition only. */
  readonly create: readonly Extract<Change, { action: 'create' }>[];
  /** In both, and PATCH can make them equal. */
  readonly update: readonly Extract<Change, { action: 'update' }>[];
  /** In both, with a difference that PATCH cannot change. */
  readonly replace: readonly Extract<Change, { action: 'replace' }>[];
  /** In the service only. */
  readonly delete: readonly Extract<Change, { action: 'delete' }>[];
  /** In both, and equal. */
  readonly unchanged: readonly Extract<Change, { action: 'unchanged' }>[];
  /** Ids of rules and metrics that the definition keeps without describing them; nothing is done to them. */
  readonly kept: readonly string[];
  /** What of the definition the service has no endpoint for, so that `apply` does not write it. */
  readonly notApplied: readonly NotApplied[];
}

/** A part of a definition that `apply` does not write, as others use it: a gate the freshness, the local service both. */
export interface NotApplied {
  /** Which part it is. */
  readonly part: 'freshness' | 'destination';
  /** The table or the destination; null for the freshness of the whole asset. */
  readonly name: string | null;
}

/** Whether the service and the definition differ. */
export function hasChanges({ create, update, replace, delete: gone }: Changes): boolean {
  return [create, update, replace, gone].some(({ length }) => length > 0);
}
