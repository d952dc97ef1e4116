import type { Change, Changes } from './changes.ts';

/** Which changes are selected: those that fit everything named here. */
export interface ChangeSelection {
  /** Owners, of which the rule or metric has one. */
  readonly owner?: readonly string[] | undefined;
  /** Tags, of which the rule or metric has one or more. */
  readonly tag?: readonly string[] | undefined;
}

/**
 * Returns the changes of rules and metrics that have one of the owners and one of the tags. What only the service has
 * has neither, so no deletion is among them.
 *
 * @example
 * console.log(renderChanges(selectChanges(changes, { tag: ['nightly'] })));
 */
export function selectChanges(changes: Changes, { owner, tag }: ChangeSelection): Changes {
  const isSelected = (change: Change): boolean =>
    (owner === undefined || owner.some((one) => one === change.owner)) &&
    (tag === undefined || tag.some((one) => change.tags?.includes(one)));
  return {
    ...changes,
    create: changes.create.filter(isSelected),
    update: changes.update.filter(isSelected),
    replace: changes.replace.filter(isSelected),
    delete: changes.delete.filter(isSelected),
    unchanged: changes.unchanged.filter(isSelected),
  };
}
