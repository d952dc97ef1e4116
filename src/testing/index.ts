// A fake service for tests: state, faults, matchers.

export { createFakeService } from './fake-service.ts';
export type { FakeClientOptions, FakeService, FakeServiceOptions } from './fake-service.ts';
export { matchers } from './matchers.ts';
export type { ExpectedCalls, MatcherResult } from './matchers.ts';
export type { FakeCheckResult, FakeMetricValue } from './stubs.ts';
export type {
  BodyFault,
  DelayFault,
  DriftFault,
  Fault,
  FaultScope,
  ResetFault,
  StatusFault,
  TruncateFault,
} from './faults.ts';
export type { Keys } from '../service/scope.ts';
export type { Asset } from '../service/store.ts';
export type { RecordedRequest } from './recorded-request.ts';
export type { FakeAlert } from './signed-alert.ts';
export { sampleAlert, type SampleOptions } from './sample-alert.ts';
