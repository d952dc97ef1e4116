// Wires server, engine and state into the local service.

export type { Keys } from '../service/scope.ts';
export type { Clock } from '../server/clock.ts';
export type { LogEntry } from '../server/log.ts';
export type {
  HandledRequest,
  HandledResponse,
  HandleRequest,
  ServiceHooks,
} from '../server/service-hooks.ts';
export type { LocalService } from './local-service.ts';
export { startLocalService } from './local-service.ts';
export type { DestinationConfiguration } from '../contract/destination.ts';
export type { LocalServiceOptions, SourceOptions } from './options.ts';
export type { TableFreshnessOptions } from './table-freshness.ts';
