import type { CreateMetric, UpdateMetric } from '../contract/metrics.ts';
import type { CreateValidityRule, UpdateValidityRule } from '../contract/validity.ts';

/** One field in which the service and the definition differ. */
export interface Difference {
  readonly field: string;
  /** What the service has. */
  readonly from: unknown;
  /** What the definition says. */
  readonly to: unknown;
}

/** What a change is about, and what it takes to make it. */
export interface ChangeSubject<Kind extends 'rule' | 'metric'> {
  readonly kind: Kind;
  readonly table_path: string;
  /** Null for what concerns the table as a whole. */
  readonly column_name: string | null;
  /** Its name, else its type. */
  readonly label: string;
  /** The permission without which `apply` leaves this alone. */
  readonly needs?: 'prune' | 'replace';
}

/** The definition has it, the service has not. */
export interface CreateChange<Kind extends 'rule' | 'metric', Body> extends ChangeSubject<Kind> {
  readonly action: 'create';
  readonly body: Body;
  /** What is created is active; false deactivates it right after. */
  readonly is_active: boolean;
}

/** Both have it, and PATCH can make them equal. */
export interface UpdateChange<Kind extends 'rule' | 'metric', Patch> extends ChangeSubject<Kind> {
  readonly action: 'update';
  readonly id: string;
  readonly patch: Patch;
  readonly differences: readonly Difference[];
  readonly uncompared: readonly string[];
}

/** Both have it, and differ in what PATCH can't change: a new one is created, then the old one deleted. */
export interface ReplaceChange extends ChangeSubject<'rule'> {
  readonly action: 'replace';
  readonly id: string;
  readonly body: CreateValidityRule;
  readonly is_active: boolean;
  readonly differences: readonly Difference[];
  readonly uncompared: readonly string[];
}

/** The service has it, the definition has not, or not twice. */
export interface DeleteChange<Kind extends 'rule' | 'metric'> extends ChangeSubject<Kind> {
  readonly action: 'delete';
  readonly id: string;
  /** Why it is to go, in a few words. */
  readonly reason: string;
}

/** Both have it and are equal in all that can be compared. */
export interface UnchangedChange<Kind extends 'rule' | 'metric'> extends ChangeSubject<Kind> {
  readonly action: 'unchanged';
  readonly id: string;
  /** Fields of the definition that no response carries, so that a difference could not be seen. */
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

/** What lies between a definition and the service: one entry for each rule and metric of either. Plain JSON. */
export interface Changes {
  readonly assetId: string;
  readonly create: readonly Extract<Change, { action: 'create' }>[];
  readonly update: readonly Extract<Change, { action: 'update' }>[];
  readonly replace: readonly Extract<Change, { action: 'replace' }>[];
  readonly delete: readonly Extract<Change, { action: 'delete' }>[];
  readonly unchanged: readonly Extract<Change, { action: 'unchanged' }>[];
}

/** Whether the service and the definition differ. */
export function hasChanges({ create, update, replace, delete: gone }: Changes): boolean {
  return [create, update, replace, gone].some(({ length }) => length > 0);
}
