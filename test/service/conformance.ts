// What the interface document promises, typed by hand from it: every service must pass, however it is mounted.
import { type Endpoint, endpoints } from 'data-quality-client/schemas';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { describeAccess } from './conformance/access.ts';
import { describeFreshness } from './conformance/freshness.ts';
import { describeLineage } from './conformance/lineage.ts';
import { describeMetrics } from './conformance/metrics.ts';
import { type ConformanceHarness, Subject } from './conformance/subject.ts';
import { describeValidityRefusals } from './conformance/validity-refusals.ts';
import { describeValidity } from './conformance/validity.ts';

export type { ConformanceHarness };

/** Describes the suite for one service; `setUp` runs once. */
export function describeConformance(name: string, setUp: () => Promise<ConformanceHarness>): void {
  describe(`conformance: ${name}`, () => {
    let current: Subject;

    beforeAll(async () => {
      current = new Subject(await setUp());
    });
    beforeEach(async () => {
      await current.clear();
    });
    afterAll(async () => {
      await current.harness.close?.();
    });

    const subject = () => current;
    describeAccess(subject);
    describeValidity(subject);
    describeValidityRefusals(subject);
    describeMetrics(subject);
    describeFreshness(subject);
    describeLineage(subject);

    // Last, when the suites above have called what they test.
    test.each(
      Object.values(endpoints)
        .flatMap((room): readonly Endpoint[] => Object.values(room))
        .map((endpoint) => ({ called: endpoint.name ?? endpoint.path, endpoint })),
    )('$called has been called with success', ({ endpoint }) => {
      expect(subject().hasServed(endpoint)).toBe(true);
    });
  });
}
