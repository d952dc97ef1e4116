import { once } from 'node:events';
import { createRequire } from 'node:module';
import { isIPv6 } from 'node:net';

import { Command, Option } from '@commander-js/extra-typings';

import { exitCode } from '../../judgement/exit-code.ts';
import { isLoopback } from '../../loopback.ts';
import type { HttpOptions } from '../../mcp/http.ts';
import { CliError } from '../cli-error.ts';
import { configure } from '../configuration.ts';
import { connect, connectionCommand } from '../connection.ts';
import { wholeNumber } from '../number.ts';
import type { Session } from '../session.ts';
import { message } from '../terminal.ts';

const defaultPort = 4790;

const mcpCommand = () =>
  connectionCommand(new Command('mcp'))
    .description(
      'Offers the service to models as tools, resources and prompts of the Model Context Protocol, over standard input and output, or over HTTP. Needs the package @modelcontextprotocol/server.',
    )
    .option(
      '-a, --asset <id>',
      'asset of calls that name none (environment: DATA_QUALITY_ASSET, or the profile)',
    )
    .option('--read-only', 'offer no tool that writes')
    .addOption(
      new Option(
        '--samples <mode>',
        'the most that a model may see of the values of invalid rows; default masked',
      ).choices(['none', 'masked', 'full'] as const),
    )
    .optionsGroup('Options of HTTP:')
    .option('--http', 'listen for streamable HTTP instead of using standard input and output')
    .option('--port <port>', `default ${defaultPort}; 0 for any free one`, wholeNumber(0))
    .option('--host <address>', 'default 127.0.0.1')
    .option(
      '--token <token>',
      'what requests must have as Authorization: Bearer; required beyond this machine (environment: DATA_QUALITY_MCP_TOKEN)',
    )
    .option('--allow-host <names...>', 'host names under which the server is reached from elsewhere')
    .addHelpText('after', examples);

/** `dq mcp`. */
export const create = (session: Session) =>
  mcpCommand().action(async (options) => {
    const http = toHttpOptions(options);
    const client = await connect(options);
    const { asset } = await configure(options);
    const { createServerFactory, serveOverHttp, serveOverStdio } = await loadMcp();
    const createServer = createServerFactory(client, {
      version: ownVersion(),
      asset: asset?.value,
      readOnly: options.readOnly === true,
      samples: options.samples ?? 'masked',
      folder: process.cwd(),
    });
    const { signal } = session;
    if (http === undefined) return serveOverStdio(createServer, { input: process.stdin, signal, onError });
    const ended = once(signal, 'abort');
    await using socket = await serveOverHttp(createServer, { ...http, onError }).catch((cause: Error) => {
      const where = `${http.host}:${http.port}`;
      throw new CliError(exitCode.usage, `Can't listen on ${where}: ${cause.message}`, { cause });
    });
    message(`Listening on ${socket.url}; Ctrl-C ends.`);
    if (!isLoopback(http.host)) {
      message(
        `Warning: it listens on ${http.host}, beyond this machine, without TLS: the token and data can be read on the way. Put a proxy with TLS in front of it.`,
      );
    }
    await ended;
  });

/** On standard error, as standard output belongs to the protocol. */
function onError(error: unknown): void {
  message(`dq mcp: ${String(error)}`);
}

type McpFlags = ReturnType<ReturnType<typeof mcpCommand>['opts']>;

/** What to listen with; `undefined` without `--http`, whose other options would do nothing then. */
function toHttpOptions(flags: McpFlags): Omit<HttpOptions, 'onError'> | undefined {
  const { http, host = '127.0.0.1', port = defaultPort, allowHost = [] } = flags;
  if (http !== true) {
    const lost = (['host', 'port', 'token', 'allowHost'] as const).find((name) => flags[name] !== undefined);
    if (lost === undefined) return undefined;
    const flag = lost === 'allowHost' ? 'allow-host' : lost;
    throw new CliError(exitCode.usage, `--${flag} is for HTTP: add --http.`);
  }
  const token = flags.token ?? (process.env['DATA_QUALITY_MCP_TOKEN'] || undefined);
  if (token === undefined && !isLoopback(host)) {
    throw new CliError(
      exitCode.usage,
      `Everyone who reaches ${host} could use your key: give --token or set DATA_QUALITY_MCP_TOKEN.`,
    );
  }
  // What stands for all addresses is not a name to call the server by.
  const own = /^(0\.0\.0\.0|\[?::\]?)$/.test(host) ? [] : [isIPv6(host) ? `[${host}]` : host];
  return { host, port, token, allowedHosts: [...own, ...allowHost] };
}

/** Loads what serves the protocol. Ends the command if its package is missing, with the one that installs it. */
async function loadMcp() {
  try {
    const [server, http, stdio] = await Promise.all([
      import('../../mcp/server.ts'),
      import('../../mcp/http.ts'),
      import('../../mcp/stdio.ts'),
    ]);
    return { ...server, ...http, ...stdio };
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('@modelcontextprotocol/server'))) throw error;
    throw new CliError(
      exitCode.usage,
      'dq mcp needs the package @modelcontextprotocol/server: npm install @modelcontextprotocol/server',
      { cause: error },
    );
  }
}

function ownVersion(): string {
  const { version } = createRequire(import.meta.url)('data-quality-client/package.json') as {
    readonly version: string;
  };
  return version;
}

const examples = `
Examples:
  $ dq mcp --read-only --asset 5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01
  $ dq mcp --http --port 4790
  $ DATA_QUALITY_MCP_TOKEN=… dq mcp --http --host 0.0.0.0 --allow-host quality.example.com

A host of models starts it with a configuration such as
  { "mcpServers": { "data-quality": { "command": "npx",
    "args": ["-y", "-p", "data-quality-client", "-p", "@modelcontextprotocol/server", "dq", "mcp", "--read-only"],
    "env": { "DATA_QUALITY_BASE_URL": "…", "DATA_QUALITY_API_KEY": "…" } } } }`;
