// One verdict over many rules, metrics and freshness, and its renderings.

export { gate } from './gate.ts';
export type {
  FreshnessCriteria,
  FreshnessExpectation,
  GateCheckEvent,
  GateEvent,
  GateOptions,
  GateStartedEvent,
  MetricSelection,
  RuleSelection,
} from './options.ts';
export type {
  Check,
  FreshnessCheck,
  CheckLabels,
  MetricCheck,
  Problem,
  RuleCheck,
  Verdict,
} from './verdict.ts';
export type { ExitCode } from '../judgement/exit-code.ts';
export type { CheckOutcome, Outcome, OutcomeCounts } from '../judgement/outcome.ts';
export { type GateError, GateFailedError, GateInconclusiveError, isGateError } from './gate-error.ts';
export { formatPercent } from '../judgement/percent.ts';
export { type SampleMode, withSamples } from './samples.ts';
export { type Paint, renderText } from './text.ts';
export { renderJson } from './json.ts';
export { renderJUnit } from './junit.ts';
export { renderAnnotations, renderStepSummary } from './github.ts';
export { renderMarkdown } from './markdown.ts';
export { renderHtml } from './html.ts';
