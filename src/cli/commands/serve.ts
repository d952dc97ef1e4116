import { once } from 'node:events';

import { Command, Option } from '@commander-js/extra-typings';

import { type Tier, tiers } from '../../contract/vocabulary.ts';
import type { LocalService } from '../../local/index.ts';
import { wholeNumber } from '../number.ts';
import { isLoopback } from '../../loopback.ts';
import type { Session } from '../session.ts';
import { printableJson, stripControlCharacters } from '../../printable.ts';
import { environmentFlag, variableFlag } from '../definition-flags.ts';
import { destinationsIn, readDefinitions, tableFreshness } from '../read-definition.ts';
import { openBrowser } from '../open-browser.ts';
import { sourceFlag } from '../source-flag.ts';
import { message, printLine, writeText } from '../terminal.ts';

// The cast states what `Object.keys` of a constant returns.
const tierNames = Object.keys(tiers) as Tier[];
const defaultPort = 4780;
const closingGraceMs = 10_000;

/** `dq serve`. */
export const create = (session: Session) =>
  new Command('serve')
    .description(
      'Serves the files of a folder (csv, tsv, json, ndjson, parquet), and databases, over the REST interface, on this machine, until Ctrl-C.',
    )
    .argument('[folder]', 'folder of the data files; may be left out with --source')
    .option(
      '--source <name=url>',
      'a database as an asset, postgres://… or clickhouse://…; several are allowed; ${NAME} in it is a variable of the environment',
      sourceFlag,
      {},
    )
    .option(
      '--definition <files...>',
      'use the freshness and the destinations of this definition too; its rules are applied with dq rules apply',
    )
    .addOption(environmentFlag())
    .addOption(variableFlag())
    .option('--port <port>', `default ${defaultPort}; 0 for any free one`, wholeNumber(0))
    .option('--host <address>', 'default 127.0.0.1')
    .option(
      '--state <folder|url>',
      'folder for rules, results, metrics and keys, or a postgres://… that several services share; default a folder per data folder, in your state directory',
    )
    .option(
      '--allow-destinations',
      'send alerts to the destinations that dq.json and the definition name now; asked for once',
    )
    .option('--no-destinations', 'send no alerts')
    .addOption(new Option('--tier <tier>', 'rate limits; default enterprise').choices(tierNames))
    .option('--read-only-key <key>', 'default one made at the first start')
    .option('--read-write-key <key>', 'default one made at the first start')
    .option('--admin-key <key>', 'default one made at the first start')
    .option('--retention <days>', 'how long results and deliveries are kept; default 90', wholeNumber(1))
    .addOption(
      new Option(
        '--log <format>',
        'json: each request, delivery and failure as a line on standard error',
      ).choices(['text', 'json'] as const),
    )
    .option('--open', 'open the page in a browser')
    .option('--json', 'print the address, the page, assets, tables and keys as JSON')
    .addHelpText('after', examples)
    .action(async (folder, options) => {
      const { startLocalService } = await import('../../local/index.ts');
      const { isDataQualityError } = await import('../../index.ts');
      // What the package itself reports is in words for users; any other error is named.
      const describeProblem = (error: unknown) => (isDataQualityError(error) ? error.message : String(error));
      const ended = once(session.signal, 'abort');
      const definitions = (await readDefinitions(options.definition ?? [], options)).map(
        ({ definition }) => definition,
      );
      await using service = await startLocalService({
        data: folder,
        sources: options.source,
        freshness: tableFreshness(definitions),
        destinations: destinationsIn(definitions),
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
        retentionDays: options.retention,
        ...(options.log === 'json'
          ? { onLog: (entry) => message(printableJson(JSON.stringify(entry))) }
          : { onError: (error) => message(`dq serve: ${describeProblem(error)}`) }),
      });
      session.graceMs = closingGraceMs;
      const facts = await factsOf(service);
      if (options.json === true) printLine(facts);
      else writeText(describe(facts).trimEnd());
      if (options.host !== undefined && !isLoopback(options.host)) {
        message(
          `Warning: it listens on ${options.host}, beyond this machine, without TLS: keys and data can be read on the way. Put a proxy with TLS in front of it.`,
        );
      }
      if (options.open === true) await openBrowser(await service.createPageLink());
      await ended;
      message('Closing.');
    });

async function factsOf(service: LocalService) {
  const { url, assets, keys, state } = service;
  return { url, page: await service.createPageLink(), assets, tables: await service.tables(), keys, state };
}

const mostListed = 20;

function describe({ url, page, assets, tables, keys, state }: Awaited<ReturnType<typeof factsOf>>): string {
  const assetLines = assets.map(({ id, name }) => `  ${id}  ${stripControlCharacters(name)}\n`).join('');
  const more = tables.length > mostListed ? `  and ${tables.length - mostListed} more\n` : '';
  const tableLines = tables.slice(0, mostListed).map((path) => `  ${stripControlCharacters(path)}\n`);
  return `Listening on ${url}

Page, for one browser, once
  ${page}

Assets
${assetLines}
Tables
${tableLines.length === 0 ? '  none yet\n' : tableLines.join('') + more}
Keys
  read-only   ${keys.readOnly}
  read-write  ${keys.readWrite}
  admin       ${keys.admin}

State
  ${state}

In another shell
  export DATA_QUALITY_BASE_URL=${url} DATA_QUALITY_API_KEY=${keys.readWrite} DATA_QUALITY_ASSET=${assets[0]?.id ?? ''}
  dq doctor

Ctrl-C ends it.
`;
}

const examples = `
Examples:
  $ dq serve ./data
  $ dq serve ./data --open
  $ dq serve ./data --port 0 --json
  $ dq serve --source 'shop=postgres://reader:\${SHOP_PASSWORD}@db/shop'
  $ dq serve ./data --host 0.0.0.0 --log json`;
