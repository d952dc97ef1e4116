import { isIP } from 'node:net';

import type { DestinationConfiguration } from '../contract/destination.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { isLoopback } from '../loopback.ts';
import { isPrivate } from './address.ts';
import { configurationFile } from './configuration.ts';

/** Where alerts are delivered to. */
export interface Destination {
  readonly name: string;
  readonly url: URL;
  /** Which addresses its host may have. */
  readonly allowedNetwork: 'loopback' | 'private' | 'public';
  /** Sent with each delivery: those of the configuration, and the credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string | undefined;
}

const reserved =
  /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|x-service-signature)$/i;

/** Reads the destinations of a configuration; throws {@link ConfigurationError}. */
export function destinationsOf(configured: readonly DestinationConfiguration[]): readonly Destination[] {
  const destinations = configured.map(destinationOf);
  const twice = destinations.find(
    ({ name }, at) => destinations.findIndex((other) => other.name === name) !== at,
  );
  if (twice !== undefined) throw wrong(twice.name, 'is there twice');
  return destinations;
}

function destinationOf(configured: DestinationConfiguration): Destination {
  const { auth, headers = {}, secret, private: mayBePrivate = false } = configured;
  const url = new URL(configured.url);
  const name = configured.name ?? url.origin;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isOwn = isLoopback(host);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOwn)) {
    throw wrong(name, 'needs an https address; http is for this machine alone');
  }
  if (url.username !== '' || url.password !== '')
    throw wrong(name, 'takes credentials as auth, not in its url');
  const refused = Object.entries(headers).find(
    ([header, value]) => reserved.test(header) || !isHeader(header, value),
  );
  if (refused !== undefined) throw wrong(name, `cannot send the header ${refused[0]}`);
  const isNamed = isIP(host) !== 0 && isPrivate(host);
  return {
    name,
    url,
    allowedNetwork: isOwn ? 'loopback' : mayBePrivate || isNamed ? 'private' : 'public',
    headers: { ...headers, ...credentials(auth) },
    secret,
  };
}

function credentials(auth: DestinationConfiguration['auth']): Readonly<Record<string, string>> {
  if (auth === undefined) return {};
  return 'bearer' in auth ? { Authorization: `Bearer ${auth.bearer}` } : { 'X-API-Key': auth.api_key };
}

function isHeader(name: string, value: string): boolean {
  try {
    return new Headers({ [name]: value }).has(name);
  } catch {
    return false;
  }
}

function wrong(name: string, problem: string): ConfigurationError {
  return new ConfigurationError(`${configurationFile}: the destination ${name} ${problem}`);
}
