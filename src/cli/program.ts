import { createRequire } from 'node:module';

import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';

import type { Session } from './session.ts';

/** One command, loaded only when it is used or its help is asked for. */
interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly create: (session: Session) => CommandUnknownOpts }>;
}

const entries: readonly CommandEntry[] = [
  {
    name: 'gate',
    summary: 'check rules, freshness and metrics, and say whether a pipeline may go on',
    load: () => import('./commands/gate.ts'),
  },
  {
    name: 'rules',
    summary: 'list, check and manage validity rules; rules as code',
    load: () => import('./commands/rules.ts'),
  },
  {
    name: 'metrics',
    summary: 'define metrics, capture and list their values',
    load: () => import('./commands/metrics.ts'),
  },
  {
    name: 'freshness',
    summary: 'show or await how fresh the data of an asset is',
    load: () => import('./commands/freshness.ts'),
  },
  {
    name: 'sla',
    summary: 'show how much of the past weeks the data of an asset was fresh',
    load: () => import('./commands/sla.ts'),
  },
  {
    name: 'assets',
    summary: 'list the assets of the local service',
    load: () => import('./commands/assets.ts'),
  },
  {
    name: 'tables',
    summary: 'list the tables of an asset of the local service',
    load: () => import('./commands/tables.ts'),
  },
  { name: 'lineage', summary: 'upload and show lineage', load: () => import('./commands/lineage.ts') },
  {
    name: 'report',
    summary: 'write a report of an asset as one HTML file',
    load: () => import('./commands/report.ts'),
  },
  {
    name: 'init',
    summary: 'write a first dq.json and first rules for a folder of data files',
    load: () => import('./commands/init.ts'),
  },
  {
    name: 'serve',
    summary: 'start the local service over a folder of data files',
    load: () => import('./commands/serve.ts'),
  },
  {
    name: 'mcp',
    summary: 'offer the service to models over the Model Context Protocol',
    load: () => import('./commands/mcp.ts'),
  },
  {
    name: 'webhook',
    summary: 'receive alerts, or send a signed test alert',
    load: () => import('./commands/webhook.ts'),
  },
  {
    name: 'auth',
    summary: 'keep a key in a profile',
    load: () => import('./commands/auth.ts'),
  },
  {
    name: 'doctor',
    summary: 'find out why calls of the service fail',
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'completion',
    summary: 'print a completion script for bash, zsh or fish',
    load: () => import('./commands/completion.ts'),
  },
];

/** Builds the commands of `dq`; only those named in `argv` are loaded, the others are known by their summary. */
export async function createProgram(session: Session, argv: readonly string[]): Promise<CommandUnknownOpts> {
  // By its own name: where the bundler puts this file is not known here.
  const { version } = createRequire(import.meta.url)('data-quality-client/package.json') as {
    version: string;
  };
  const program = new Command('dq')
    .description('Data quality from the command line: gate a pipeline, manage rules and metrics, report.')
    .usage('<command> [options]')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help; dq <command> --help shows options and examples')
    .addHelpText('after', examples);
  for (const { name, summary, load } of entries) {
    if (argv.includes(name)) program.addCommand((await load()).create(session).summary(summary));
    else program.command(name).summary(summary);
  }
  prepare(program);
  return program;
}

/** Without this, commander ends the process by itself, and with exit code 1 for wrong usage; help is alike everywhere. */
function prepare(command: CommandUnknownOpts): void {
  command
    .exitOverride()
    .showHelpAfterError('Add --help to see the options and examples.')
    // The options of a subcommand are listed in its own help.
    .configureHelp({
      subcommandTerm: (each) => [each.name(), ...each.registeredArguments.map(nameOf)].join(' '),
    });
  for (const subcommand of command.commands) prepare(subcommand);
}

function nameOf(argument: CommandUnknownOpts['registeredArguments'][number]): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

const examples = `
Examples:
  $ dq init ./data                                    a first dq.json and first rules
  $ dq serve ./data                                   a service on this machine
  $ dq gate --asset <id>                              exit code 0 if the data is good, 1 if it is bad
  $ dq rules plan rules.yaml                          what a definition would change
  $ dq report --asset <id> --output report.html

Configuration: flags, then DATA_QUALITY_API_KEY, DATA_QUALITY_BASE_URL and DATA_QUALITY_ASSET, then a profile in
./.data-quality.json or ~/.config/data-quality/config.json.

Exit codes: 0 done, the gate is open; 1 the data is bad; 2 wrong usage or configuration; 3 the key is missing,
invalid or lacks the scope; 4 no such asset, rule or metric; 5 rate limited; 6 inconclusive: the
service or the network failed, or the data could not be judged.`;
