// Spans and metrics of calls and gates, through the API of OpenTelemetry.

export { openTelemetryHooks } from './hooks.ts';
export { traceGate } from './trace-gate.ts';
