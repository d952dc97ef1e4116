/** The local service: the REST interface of the service over your own files, computed by DuckDB. */
export type { Keys } from '../service/scope.ts';
export type { Clock } from '../server/clock.ts';
export type { LogEntry } from '../server/log.ts';
export type { LocalService } from './local-service.ts';
export { startLocalService } from './local-service.ts';
export type { LocalServiceOptions, SourceOptions } from './options.ts';
