import { DataQualityError } from './data-quality-error.ts';

/** The options of the client can't be used; thrown by the constructor, before any request. */
export class ConfigurationError extends DataQualityError {
  override readonly name = 'ConfigurationError' as const;
  readonly code = 'CONFIGURATION' as const;
}
