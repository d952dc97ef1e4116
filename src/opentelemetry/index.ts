// Spans and metrics of calls, gates and the requests of a service, through the API of OpenTelemetry.

export { openTelemetryHooks } from './hooks.ts';
export { openTelemetryServiceHooks } from './service-hooks.ts';
export { traceGate } from './trace-gate.ts';
