// What the interface document promises, typed by hand from it: every service must pass, however it is mounted.
import { globSync } from 'node:fs';

import { type Endpoint, endpoints } from 'data-quality-client/schemas';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type ConformanceHarness, Subject } from './conformance/subject.ts';

export type { ConformanceHarness };

/** What is exported as `describe…` by the files beside `subject.ts`: parts of the suite, each over one service. */
const parts = await Promise.all(
  globSync('conformance/*.ts', { cwd: import.meta.dirname })
    .toSorted()
    .map(async (file) => (await import(/* @vite-ignore */ `./${file}`)) as Readonly<Record<string, unknown>>),
).then((modules) =>
  modules
    .flatMap((module) => Object.entries(module))
    .filter(([name]) => name.startsWith('describe'))
    .map(([, part]) => part as (subject: () => Subject) => void),
);

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
    for (const describePart of parts) describePart(subject);

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
