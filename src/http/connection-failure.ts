import type { CallDescription } from '../errors/call-description.ts';
import { ConnectionError } from '../errors/no-result-errors.ts';

/** The connection was never made, so the service can't have seen the request. */
const neverConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** The connection was never made if these come from connecting; they can also end one that was. */
const unreachable = new Set(['EHOSTUNREACH', 'ENETUNREACH']);

/**
 * Sending the same request again can't help: the address, not the moment, is wrong. Of the codes of TLS only those of
 * the handshake, as a record can also break in the middle of a response.
 */
const permanent =
  /^(CERT_|ERR_TLS_|ERR_SSL_(WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|NO_|PACKET_LENGTH_TOO_LONG|.*(HANDSHAKE|VERSION|CERTIFICATE|UNRECOGNIZED_NAME|UNKNOWN_CA))|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|REDIRECTED$|BAD_PORT$)/;

/** Makes the error of a connection that failed from what `fetch` threw. */
export function connectionFailure(call: CallDescription, host: string, thrown: unknown): ConnectionError {
  return new ConnectionError(call, { host, ...describe(call, thrown) }, { cause: thrown });
}

function describe(
  call: CallDescription,
  thrown: unknown,
): { code: string; reason: string; mayHaveBeenProcessed: boolean } {
  const { code, syscall, message } = rootCause(thrown);
  if (/redirect/i.test(message)) {
    const reason =
      'it responded with a redirect, which is not followed so that the key stays with its host; check baseUrl';
    return { code: 'REDIRECTED', reason, mayHaveBeenProcessed: call.method !== 'GET' };
  }
  if (message === 'bad port') {
    const reason = 'fetch sends nothing to this port; check baseUrl';
    return { code: 'BAD_PORT', reason, mayHaveBeenProcessed: false };
  }
  return {
    code: code ?? 'CONNECTION_FAILED',
    reason: message,
    mayHaveBeenProcessed: code === undefined || !neverArrived(code, syscall),
  };
}

function neverArrived(code: string, syscall: string | undefined): boolean {
  if (unreachable.has(code)) return syscall === 'connect';
  return neverConnected.has(code) || permanent.test(code);
}

/** Whether a failed connection is worth another attempt with the same address. */
export function isTransient(error: ConnectionError): boolean {
  return !permanent.test(error.code);
}

/** `fetch` hides the system's error, with its code, behind one or two causes. */
function rootCause(thrown: unknown): {
  code: string | undefined;
  syscall: string | undefined;
  message: string;
} {
  let code: string | undefined;
  let syscall: string | undefined;
  let message = String(thrown);
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if (error.message !== '') message = error.message;
    if ('code' in error && typeof error.code === 'string') code = error.code;
    if ('syscall' in error && typeof error.syscall === 'string') syscall = error.syscall;
  }
  return { code: code ?? codeInMessage(message), syscall, message };
}

/** Returns the code that Deno does not give: it says in the message alone that no connection was made. */
function codeInMessage(message: string): string | undefined {
  if (!message.includes('client error (Connect)')) return undefined;
  if (/connection refused/i.test(message)) return 'ECONNREFUSED';
  return message.includes('dns error') ? 'ENOTFOUND' : undefined;
}
