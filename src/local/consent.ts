import { createHash } from 'node:crypto';
import { join } from 'node:path';

import type { DestinationConfiguration } from '../contract/destination.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { configurationFile } from '../server/configuration.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

const consentFile = 'allowed-destinations';

/**
 * The destinations that alerts may be sent to. `dq.json` comes with the data, which may be somebody else's: what it
 * names gets nothing until the user has allowed exactly that, once.
 *
 * @throws ConfigurationError if the destinations are neither allowed nor were before.
 */
export async function allowedDestinations(
  state: string,
  configured: readonly DestinationConfiguration[],
  isAllowed: boolean | undefined,
): Promise<readonly DestinationConfiguration[]> {
  if (configured.length === 0 || isAllowed === false) return [];
  const path = join(state, consentFile);
  const digest = createHash('sha256').update(JSON.stringify(configured)).digest('hex');
  if (isAllowed === true) await writePrivateFile(path, digest);
  else if ((await readPrivateFile(path)) !== digest) throw notAllowed(configured);
  return configured;
}

function notAllowed(configured: readonly DestinationConfiguration[]): ConfigurationError {
  const hosts = [...new Set(configured.map(({ url }) => new URL(url).host))].join(', ');
  return new ConfigurationError(
    `${configurationFile} or the definition sends alerts about this data to ${hosts}, which you have not allowed. To allow exactly its destinations, start once with allowDestinations: true (dq serve --allow-destinations); with allowDestinations: false (--no-destinations), no alert is sent.`,
  );
}
