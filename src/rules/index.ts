// Rules and metrics as code: a definition, what it would change, and the change.

export {
  type Definition,
  type DefinitionEntry,
  definitionSchema,
  type KeptDefinition,
  type MetricDefinition,
  type RuleDefinition,
  type RuleEntry,
  type RuleEntryFields,
  type TableDefinition,
} from './definition.ts';
export {
  type ExpectedFreshness,
  type FreshnessDefinition,
  freshnessExpectations,
  type TableFreshness,
} from './freshness.ts';
export type { DestinationConfiguration } from '../contract/destination.ts';
export { checkDefinition } from './check-definition.ts';
export { definitionJsonSchema } from './json-schema.ts';
export type { AssetDefinition } from './read-assets.ts';
export {
  type DefinitionText,
  parseDefinition,
  parseDefinitions,
  type ParseFilesOptions,
  type ParseOptions,
} from './parse.ts';
export { type DefinitionPart, mergeDefinitions } from './merge.ts';
export { toYaml, type ToYamlOptions } from './yaml.ts';
export { plan, type PlanOptions } from './plan.ts';
export {
  type Change,
  type ChangeAction,
  type Changes,
  type ChangeSubject,
  type CreateChange,
  type DeleteChange,
  type Difference,
  hasChanges,
  type MetricChange,
  type NotApplied,
  type ReplaceChange,
  type RuleChange,
  type UnchangedChange,
  type UpdateChange,
} from './changes.ts';
export { type LabeledItem, type Labels, labelsOf } from './labels.ts';
export { type ChangeSelection, selectChanges } from './select-changes.ts';
export { apply, type ApplyEvent, type ApplyOptions } from './apply.ts';
export { type Applied, ApplyError } from './applied.ts';
export { type PaintChange, renderChanges } from './render-changes.ts';
export {
  type Exported,
  type ExportOptions,
  exportRules,
  type HiddenFields,
  type Unexported,
} from './export.ts';
export { type DbtImport, importDbt, type ImportDbtOptions, type UnmappedTest } from './import-dbt.ts';
export type { DbtRelation } from './dbt-relations.ts';
export type { DbtRun, DbtTestResult } from './dbt-run-results.ts';
