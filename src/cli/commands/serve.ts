import { once } from 'node:events';

import { Command, Option } from '@commander-js/extra-typings';

import { type Tier, tiers } from '../../contract/vocabulary.ts';
import type { LocalService } from '../../local/index.ts';
import { wholeNumber } from '../number.ts';
import type { Session } from '../session.ts';
import { message } from '../terminal.ts';

// The cast states what `Object.keys` of a constant returns.
const tierNames = Object.keys(tiers) as Tier[];
const defaultPort = 4780;
const closingGraceMs = 10_000;

/** `dq serve`. */
export const create = (session: Session) =>
  new Command('serve')
    .description(
      'Serves the files of a folder (csv, tsv, json, ndjson, parquet) over the REST interface, on this machine, until Ctrl-C.',
    )
    .argument('<folder>', 'folder of the data files')
    .option('--port <port>', `default ${defaultPort}; 0 for any free one`, wholeNumber(0))
    .option('--host <address>', 'default 127.0.0.1')
    .option(
      '--state <folder>',
      'where rules, results, metrics and keys are kept; default one per data folder, in your state directory',
    )
    .option('--allow-destinations', 'send alerts to the destinations that dq.json names now; asked for once')
    .option('--no-destinations', 'send no alerts')
    .addOption(new Option('--tier <tier>', 'rate limits; default enterprise').choices(tierNames))
    .option('--read-only-key <key>', 'default one made at the first start')
    .option('--read-write-key <key>', 'default one made at the first start')
    .option('--admin-key <key>', 'default one made at the first start')
    .option('--json', 'print the address, assets and keys as JSON')
    .addHelpText('after', examples)
    .action(async (folder, options) => {
      const { startLocalService } = await import('../../local/index.ts');
      const ended = once(session.signal, 'abort');
      await using service = await startLocalService({
        data: folder,
        port: options.port ?? defaultPort,
        host: options.host,
        state: options.state,
        allowDestinations: options.destinations ? options.allowDestinations : false,
        tier: options.tier,
        keys: {
          ...(options.readOnlyKey !== undefined && { readOnly: options.readOnlyKey }),
          ...(options.readWriteKey !== undefined && { readWrite: options.readWriteKey }),
          ...(options.adminKey !== undefined && { admin: options.adminKey }),
        },
        onError: (error) => message(`dq serve: ${String(error)}`),
      });
      session.graceMs = closingGraceMs;
      process.stdout.write(options.json === true ? `${JSON.stringify(facts(service))}\n` : describe(service));
      await ended;
      message('Closing.');
    });

function facts({ url, assets, keys }: LocalService) {
  return { url, assets, keys };
}

function describe({ url, assets, keys }: LocalService): string {
  const assetLines = assets.map(({ id, name }) => `  ${id}  ${name}\n`).join('');
  return `Listening on ${url}

Assets
${assetLines}
Keys
  read-only   ${keys.readOnly}
  read-write  ${keys.readWrite}
  admin       ${keys.admin}

In another shell
  export DATA_QUALITY_BASE_URL=${url} DATA_QUALITY_API_KEY=${keys.readWrite} DATA_QUALITY_ASSET=${assets[0]?.id ?? ''}
  dq doctor

Ctrl-C ends it.
`;
}

const examples = `
Examples:
  $ dq serve ./data
  $ dq serve ./data --port 0 --json`;
