import { isIP } from 'node:net';

import { isLoopback } from '../loopback.ts';

/**
 * Whether the `Host` of a request is one of the service's own. A page of a stranger can make a name of its own lead to
 * this machine, and a browser then takes the service for that stranger's: but the name is still in the `Host`.
 */
export function isOwnHost(request: Request, listensOn: string): boolean {
  const host = request.headers.get('Host');
  const name = host === null || /[^\w.:[\]-]/.test(host) ? undefined : URL.parse(`http://${host}`)?.hostname;
  if (name === undefined || name === '') return false;
  if (isLoopback(name) || name === listensOn.toLowerCase()) return true;
  // An address of its own cannot be made to lead elsewhere; on loopback, no other address leads here.
  return !isLoopback(listensOn) && isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;
}
