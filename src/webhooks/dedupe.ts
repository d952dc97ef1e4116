/**
 * Remembers which alerts are being handled and which were, so that one that is delivered several times is handled
 * once. Receivers on several machines share one store; receivers of different destinations must not.
 *
 * An `id` is `running:` or `done:` followed by the id of the alert.
 */
export interface Dedupe {
  /**
   * Takes the id for `ttlMs` milliseconds, atomically: `true` for the one who got it, `false` for all others until
   * it is released or its time is over.
   */
  claim(id: string, ttlMs: number): Promise<boolean>;
  /** Gives back an id that this receiver claimed; one that it does not own anymore stays as it is. */
  release(id: string): Promise<void>;
}

/** What became of a claim: `claimed` means that the alert is ours to handle. */
export type ClaimState = 'claimed' | 'running' | 'done';

/** The life of an alert in a store: running, then done, or running and open again. */
export interface AlertClaims {
  begin(id: string): Promise<ClaimState>;
  complete(id: string): Promise<void>;
  abandon(id: string): Promise<void>;
}

const lookMs = 100;

/**
 * Two claims per alert: `running` is short-lived, so that an alert whose receiver died is handled by a later
 * attempt; `done` is long-lived, and only written once the alert was handled.
 */
export function createClaims(
  store: Dedupe,
  ttl: { readonly runningMs: number; readonly doneMs: number },
): AlertClaims {
  return {
    async begin(id) {
      if (!(await store.claim(`running:${id}`, ttl.runningMs))) return 'running';
      // A store cannot be asked, only claimed from: a claim for a moment shows whether `done` is there, and holding
      // `running` keeps everybody else from looking meanwhile. Were we to die here, `done` ends before `running`.
      if (await store.claim(`done:${id}`, lookMs)) {
        await store.release(`done:${id}`);
        return 'claimed';
      }
      await store.release(`running:${id}`);
      return 'done';
    },
    async complete(id) {
      await store.claim(`done:${id}`, ttl.doneMs);
      await store.release(`running:${id}`);
    },
    async abandon(id) {
      await store.release(`running:${id}`);
    },
  };
}
