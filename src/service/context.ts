import type { Assets } from './assets.ts';
import type { Evaluation } from './evaluation.ts';
import type { Store } from './store.ts';

/** What runs a check or a capture: where it is remembered, who computes it, and what time it is. */
export interface Backend {
  readonly store: Store;
  readonly evaluation: Evaluation;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What handlers work with. */
export interface Context extends Backend {
  readonly assets: Assets;
}
