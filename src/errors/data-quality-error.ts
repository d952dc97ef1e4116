// Errors of a call that a user can catch, whatever room throws them.

/** Marks every error of this package, also those made by another copy of it (ESM beside CJS, two versions). */
const brand: unique symbol = Symbol.for('data-quality-client.error') as never;

/** What every error of this package is: catch it to catch them all. */
export abstract class DataQualityError extends Error {
  /** The name of the class; it survives minification. */
  abstract override readonly name: string;
  /** A constant that says what happened, such as `RULE_NOT_FOUND`; compare it instead of the message. */
  abstract readonly code: string;

  /** Returns the error as plain JSON, for logs: `name`, `code`, `message` and the fields of its class. */
  toJSON(): object {
    return Object.assign({}, this, { message: this.message });
  }

  /** @internal */
  get [brand](): boolean {
    return true;
  }
}

/**
 * Whether a caught value is an error of this package, made by this copy of it or by another one.
 */
export function isDataQualityError(error: unknown): error is DataQualityError {
  return typeof error === 'object' && error !== null && brand in error;
}
