import { describeConformance } from './conformance.ts';
import { createFakeHarness } from './fake-harness.ts';

describeConformance('the fake, in process', async () => createFakeHarness('https://dq.test/prefix').harness);
