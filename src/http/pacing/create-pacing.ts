import type { RateLimit } from '../../errors/rate-limit.ts';
import { AdaptiveBurstLimiter } from './adaptive-burst-limiter.ts';
import { DistributedLimiter } from './distributed-limiter.ts';
import { HeaderQuotaLimiter } from './header-quota-limiter.ts';
import { InFlight } from './in-flight.ts';
import type { Pacing } from './pacing.ts';
import { PacingQueue } from './pacing-queue.ts';
import {
  checkLimits,
  checkMemory,
  checkStore,
  learnsWithStore,
  type RateLimitOption,
} from './rate-limit-option.ts';
import { RecallLimiter } from './recall-limiter.ts';
import type { LimitSignals } from './rate-limiter.ts';
import { SlidingWindowLimiter } from './sliding-window-limiter.ts';
import { SlowStartLimiter } from './slow-start-limiter.ts';

/** Requests that may be on their way before anything is known of the limit. */
const firstRequests = 10;

/**
 * Creates the pacing for an option; throws `ConfigurationError` if it cannot be understood. `key` returns the name
 * of the API key in the store; `warn` is called when the store becomes unavailable and when it is back.
 */
export function createPacing(
  option: RateLimitOption,
  key: () => string | Promise<string> = () => '',
  warn: (message: string) => void = () => {},
): Pacing {
  if (option === false) return new Unpaced();
  const inFlight = new InFlight();
  if (option === 'auto' || learnsWithStore(option)) {
    const quota = new HeaderQuotaLimiter(inFlight);
    const slowStart = new SlowStartLimiter(inFlight, firstRequests);
    const burst = new AdaptiveBurstLimiter(inFlight, (perSecond) => slowStart.adopt(perSecond));
    const limiters = [slowStart, quota, burst];
    if (option === 'auto') return new PacingQueue(inFlight, limiters);
    const recall = new RecallLimiter(
      {
        store: checkMemory(option.store),
        key,
        // Only what 429s have shown: what is announced comes with the first response, windows included.
        learned: () => burst.learned,
        adopt(perSecond, now) {
          slowStart.adopt(perSecond);
          burst.adopt(perSecond, now);
        },
      },
      warn,
    );
    const queue = new PacingQueue(inFlight, [...limiters, recall]);
    recall.notify(() => queue.dispatch());
    return queue;
  }
  const limits = checkLimits(option);
  const { perMinute, perSecond } = limits;
  const slowStart = new SlowStartLimiter(inFlight, Infinity);
  const second = new SlidingWindowLimiter(perSecond, 1000, `the limit is ${perSecond} requests per second`);
  const minute = new SlidingWindowLimiter(perMinute, 60_000, `the limit is ${perMinute} requests per minute`);
  const own = [slowStart, second, minute];
  if (option.store === undefined) return new PacingQueue(inFlight, own);
  const available = (now: number): number =>
    Math.min(slowStart.available(now), second.available, minute.available);
  const shared = { store: checkStore(option.store), key, limits, inFlight, available };
  const distributed = new DistributedLimiter(shared, warn);
  const queue = new PacingQueue(inFlight, [...own, distributed]);
  distributed.notify(() => queue.dispatch());
  return queue;
}

/** Never lets a request wait. */
class Unpaced implements Pacing {
  rateLimit: RateLimit | undefined;

  acquire(): undefined {
    return undefined;
  }

  onResponse({ rateLimit }: LimitSignals): void {
    if (rateLimit !== undefined) this.rateLimit = rateLimit;
  }

  onNoResponse(): void {
    // Nobody waits.
  }
}
