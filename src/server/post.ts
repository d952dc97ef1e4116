import { lookup as lookUp } from 'node:dns';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

import { signPayload } from '../webhooks/signature.ts';
import { isLoopback } from '../loopback.ts';
import { isPrivate } from './address.ts';
import type { Destination } from './destination.ts';

/** Bytes of a response's body that are read at most: nothing in it is needed. */
const mostRead = 64 * 1024;

/**
 * Posts a payload, signed, and resolves with the status of the response; rejects if none comes. A redirect is a
 * response like any other. The name is looked up once, and what it leads to must be within the destination's network.
 */
export async function post(destination: Destination, payload: string, signal: AbortSignal): Promise<number> {
  const { url, secret, allowedNetwork } = destination;
  const body = Buffer.from(payload);
  const headers = {
    ...destination.headers,
    ...(secret === undefined ? {} : { 'X-Service-Signature': await signPayload(payload, secret) }),
    'Content-Type': 'application/json',
    'Content-Length': body.byteLength,
    'User-Agent': 'data-quality-client',
  };
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) assertAllowed(host, allowedNetwork);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const outgoing = send(url, {
    method: 'POST',
    headers,
    signal,
    agent: false,
    lookup: lookupWithin(allowedNetwork),
  });
  outgoing.once('error', reject);
  outgoing.once('response', (response) => {
    let read = 0;
    response.on('data', (chunk: Buffer) => {
      read += chunk.byteLength;
      if (read > mostRead) outgoing.destroy();
    });
    // What breaks after the status no longer matters.
    response.on('error', () => undefined);
    outgoing.on('error', () => undefined);
    endSoon(outgoing);
    resolve(response.statusCode ?? 0);
  });
  outgoing.end(body);
  return promise;
}

/** Cuts off a response that goes on and on. */
function endSoon(outgoing: ClientRequest): void {
  const timer = setTimeout(() => outgoing.destroy(), 1000).unref();
  outgoing.once('close', () => clearTimeout(timer));
}

function assertAllowed(address: string, network: Destination['allowedNetwork']): void {
  const within =
    network === 'private' || (network === 'loopback' ? isLoopback(address) : !isPrivate(address));
  if (!within) throw new Error(`${address} is not a ${network} address`);
}

/** Refuses a name that leads out of the network; the connection is made to the very address that was looked at. */
function lookupWithin(network: Destination['allowedNetwork']): LookupFunction {
  return (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      try {
        if (error !== null) throw error;
        for (const { address } of addresses) assertAllowed(address, network);
        const [first] = addresses;
        if (first === undefined) throw new Error(`${hostname} has no address`);
        if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      } catch (failure) {
        callback(failure instanceof Error ? failure : new Error(String(failure)), '', 0);
      }
    });
  };
}
