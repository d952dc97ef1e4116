import { once } from 'node:events';
import { parseArgs } from 'node:util';

import { isDataQualityError } from '../errors.ts';
import type { LocalService, LocalServiceOptions } from '../local/index.ts';

const done = 0;
const wrongUsage = 2;
const defaultPort = '4780';

const usage = `Usage: dq serve <folder> [options]

Serves the files of a folder (csv, tsv, json, ndjson, parquet) over the REST interface until Ctrl-C.

  --port <number>    default ${defaultPort}; 0 takes any free one
  --host <address>   default 127.0.0.1
  --state <folder>   where rules, results and metrics are kept; default <folder>/.data-quality
  --tier <name>      rate limits: free_trial, starter, growth, professional or enterprise (default)
  --read-only-key, --read-write-key, --admin-key <key>   default: random ones
  --json             print the address, assets and keys as JSON
  --help

Example: dq serve ./data --port 0
`;

/** `dq serve`: runs the local service until it is told to stop. */
export async function serve(args: readonly string[]): Promise<number> {
  try {
    const { options, help, json } = readArguments(args);
    if (help) {
      process.stdout.write(usage);
      return done;
    }
    const { startLocalService } = await import('../local/index.ts');
    await using service = await startLocalService(options);
    process.stdout.write(json ? `${JSON.stringify(facts(service))}\n` : describe(service));
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    process.stderr.write('Closing.\n');
    return done;
  } catch (error) {
    if (!isDataQualityError(error) && !(error instanceof TypeError)) throw error;
    process.stderr.write(`dq serve: ${error.message}\n`);
    return wrongUsage;
  }
}

function readArguments(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      port: { ...text, default: defaultPort },
      host: text,
      state: text,
      tier: text,
      'read-only-key': text,
      'read-write-key': text,
      'admin-key': text,
      json: flag,
      help: { ...flag, short: 'h' },
    },
  });
  const [data, ...others] = positionals;
  if (!values.help && (data === undefined || others.length > 0)) {
    throw new TypeError(`give one folder, such as: dq serve ./data`);
  }
  const options: LocalServiceOptions = {
    data: data ?? '',
    port: /^\d+$/.test(values.port) ? Number(values.port) : Number.NaN,
    host: values.host,
    state: values.state,
    // The service checks the name.
    tier: values.tier as LocalServiceOptions['tier'],
    keys: {
      ...(values['read-only-key'] === undefined ? {} : { readOnly: values['read-only-key'] }),
      ...(values['read-write-key'] === undefined ? {} : { readWrite: values['read-write-key'] }),
      ...(values['admin-key'] === undefined ? {} : { admin: values['admin-key'] }),
    },
    onError: (error) => process.stderr.write(`dq serve: ${String(error)}\n`),
  };
  return { options, help: values.help, json: values.json };
}

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

Ctrl-C ends it.
`;
}
