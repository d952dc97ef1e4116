import { createHash } from 'node:crypto';

import type { DestinationConfiguration } from '../contract/destination.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import { configurationFile } from '../server/configuration.ts';
import type { KeptTexts } from './kept-texts.ts';

const consentName = 'allowed-destinations';

/**
 * The destinations that alerts may be sent to. `dq.json` comes with the data, which may be somebody else's: what it
 * names gets nothing until the user has allowed exactly that, once.
 *
 * @throws ConfigurationError if the destinations are neither allowed nor were before.
 */
export async function allowedDestinations(
  texts: KeptTexts,
  configured: readonly DestinationConfiguration[],
  isAllowed: boolean | undefined,
): Promise<readonly DestinationConfiguration[]> {
  if (configured.length === 0 || isAllowed === false) return [];
  const digest = createHash('sha256').update(JSON.stringify(configured)).digest('hex');
  if (isAllowed === true) await texts.write(consentName, digest);
  else if ((await texts.read(consentName)) !== digest) throw notAllowed(configured);
  return configured;
}

function notAllowed(configured: readonly DestinationConfiguration[]): ConfigurationError {
  const hosts = [...new Set(configured.map(({ url }) => new URL(url).host))].join(', ');
  return new ConfigurationError(
    `${configurationFile} or the definition sends alerts about this data to ${hosts}, which you have not allowed. To allow exactly its destinations, start once with allowDestinations: true (dq serve --allow-destinations); with allowDestinations: false (--no-destinations), no alert is sent.`,
  );
}
