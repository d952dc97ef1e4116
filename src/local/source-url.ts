import { ConfigurationError } from '../errors/configuration-error.ts';
import { type AssetConfiguration, configurationFile } from '../server/configuration.ts';

/** Where a database is, with what must never be shown. */
export interface DatabaseUrl {
  readonly engine: 'postgres' | 'clickhouse';
  /** The address with its credentials. */
  readonly url: string;
  /** The address without credentials, for people. */
  readonly shown: string;
  /** Removes the password from a text. */
  readonly redact: (text: string) => string;
}

const engines: Readonly<Record<string, DatabaseUrl['engine']>> = {
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
  'clickhouse:': 'clickhouse',
  'clickhouses:': 'clickhouse',
};

/**
 * Reads the address of the database that keeps a state; undefined if what is written is the path of a folder.
 *
 * @throws ConfigurationError
 */
export function readStateUrl(
  written: string,
  environment: Readonly<Record<string, string | undefined>>,
): DatabaseUrl | undefined {
  if (!/^\w+:\/\/|^\$\{\w+\}$/.test(written)) return undefined;
  const expectedUrl = 'needs the path of a folder, or an address such as postgres://dq@host/database';
  const url = readDatabaseUrl({ subject: 'The state', expected: expectedUrl }, written, environment);
  if (url.engine !== 'postgres') throw new ConfigurationError(`The state ${expectedUrl}`);
  return url;
}

/**
 * Reads the address of a source. `${NAME}` refers to a variable of the environment, for the whole address or
 * for a part of it, which may then contain any character. No error shows what a variable contains.
 *
 * @throws ConfigurationError
 */
export function readSourceUrl(
  name: string,
  written: string,
  environment: Readonly<Record<string, string | undefined>>,
): DatabaseUrl {
  return readDatabaseUrl({ subject: `The source ${name}`, expected }, written, environment);
}

function readDatabaseUrl(
  words: { readonly subject: string; readonly expected: string },
  written: string,
  environment: Readonly<Record<string, string | undefined>>,
): DatabaseUrl {
  const wrong = (problem: string) => new ConfigurationError(`${words.subject} ${problem}`);
  const isWhole = /^\$\{\w+\}$/.test(written);
  const address = written.replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => {
    const value = environment[variable];
    if (value === undefined || value === '') {
      throw wrong(`needs the environment variable ${variable}, which is not set`);
    }
    return isWhole ? value : encodeURIComponent(value);
  });
  if (!URL.canParse(address)) throw wrong(words.expected);
  const url = new URL(address);
  const engine = engines[url.protocol];
  if (engine === undefined) throw wrong(words.expected);
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  shown.search = '';
  return { engine, url: address, shown: shown.href, redact: redaction(url) };
}

/**
 * Refuses passwords that are written in `dq.json`, which is kept beside the data and often in a repository.
 *
 * @throws ConfigurationError
 */
export function assertNoPasswords(assets: readonly AssetConfiguration[]): void {
  for (const { name = '', source } of assets) {
    if (source !== undefined && hasWrittenPassword(source.url)) {
      throw wrongSource(
        name,
        `has a password in ${configurationFile}: write \${NAME} instead, and set that environment variable`,
      );
    }
  }
}

/** Whether an address contains a password that is not a variable of the environment. */
function hasWrittenPassword(written: string): boolean {
  const [, password = ''] = /^\w+:\/\/[^/?#@:]*:([^/?#]*)@/.exec(written) ?? [];
  const [, option = ''] = /[?&]password=([^&#]*)/.exec(written) ?? [];
  return [password, option].some((text) => text.replaceAll(/\$\{\w+\}/g, '') !== '');
}

const expected =
  'needs an address such as postgres://reader@host/database or clickhouse://reader@host:8123/database';

function wrongSource(name: string, problem: string): ConfigurationError {
  return new ConfigurationError(`The source ${name} ${problem}`);
}

function redaction(url: URL): (text: string) => string {
  const option = url.searchParams.get('password') ?? '';
  const forms = [url.password, decoded(url.password), option, encodeURIComponent(option)];
  const secrets = [...new Set(forms)]
    .filter((secret) => secret !== '')
    .toSorted((a, b) => b.length - a.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
