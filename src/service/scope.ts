import type { Endpoint } from '../contract/index.ts';
import { type Scope, scopes } from '../contract/vocabulary.ts';
import { forbidden, unauthorized } from './problem.ts';

/** One key for each scope. */
export interface Keys {
  /** A key with the scope `read-only`. */
  readonly readOnly: string;
  /** A key with the scope `read-write`. */
  readonly readWrite: string;
  /** A key with the scope `admin`. */
  readonly admin: string;
}

/** A key the service knows. */
export interface Credential {
  readonly key: string;
  readonly scope: Scope;
}

/** Returns a function that finds the credential of a request, `undefined` if it has none. */
export function createIdentify(keys: Keys): (request: Request) => Credential | undefined {
  const credentials = new Map<string, Credential>([
    [keys.readOnly, { key: keys.readOnly, scope: 'read-only' }],
    [keys.readWrite, { key: keys.readWrite, scope: 'read-write' }],
    [keys.admin, { key: keys.admin, scope: 'admin' }],
  ]);
  return (request) => {
    const key = /^Bearer +(\S+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1];
    return key === undefined ? undefined : credentials.get(key);
  };
}

/** Throws 401 or 403 unless the credential reaches the scope. */
export function authorize(
  request: Request,
  credential: Credential | undefined,
  required: Endpoint['scope'],
): void {
  if (credential === undefined) {
    throw unauthorized(
      request.headers.has('Authorization')
        ? 'The API key is invalid'
        : 'The API key is missing: send the header Authorization: Bearer <API_KEY>',
    );
  }
  if (scopes.indexOf(credential.scope) < scopes.indexOf(required))
    throw forbidden(credential.scope, required);
}
