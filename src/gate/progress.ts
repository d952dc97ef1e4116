import type { GateEvent } from './options.ts';
import type { FreshnessCheck, MetricCheck, RuleCheck } from './verdict.ts';

/** Counts what was announced and what has ended, and reports both to the caller. */
export class Progress {
  readonly #tell: (event: GateEvent) => void;
  #done = 0;
  #total = 0;

  constructor(tell: (event: GateEvent) => void) {
    this.#tell = tell;
  }

  start(part: 'freshness' | 'rules' | 'metrics', assetId: string, count: number): void {
    this.#total += count;
    this.#tell({ type: 'started', part, assetId, count });
  }

  freshness(check: FreshnessCheck): void {
    this.#tell({ type: 'freshness', check, ...this.#step() });
  }

  rule(check: RuleCheck): void {
    this.#tell({ type: 'rule', check, ...this.#step() });
  }

  metric(check: MetricCheck): void {
    this.#tell({ type: 'metric', check, ...this.#step() });
  }

  #step(): { readonly done: number; readonly total: number } {
    return { done: ++this.#done, total: this.#total };
  }
}
