import { assetCommand, connect } from '../connection.ts';
import { configure } from '../configuration.ts';
import { diagnose, type Finding } from '../diagnosis.ts';
import { diagnoseDatabases } from '../database-diagnosis.ts';
import { sourceFlag } from '../source-flag.ts';
import type { Session } from '../session.ts';
import { paintOutcome } from '../status.ts';
import { print, stdoutColors } from '../terminal.ts';

/** `dq doctor`. */
export const create = (session: Session) =>
  assetCommand('doctor')
    .description(
      'Finds out why something does not work: settings, Node, whether the service responds, what the key may do, the clock and the limits; of a local service also its state and its data. Works without a key. With --source or --state, looks at a database instead, and changes nothing there.',
    )
    .option(
      '--source <name=url>',
      'look at this database, postgres://… or clickhouse://…; several are allowed',
      sourceFlag,
      {},
    )
    .option('--state <url>', 'look at this PostgreSQL as the state of services')
    .addHelpText('after', examples)
    .action(async (options) => {
      const { source, state } = options;
      const { findings, exitCode } =
        Object.keys(source).length > 0 || state !== undefined
          ? await diagnoseDatabases(source, state, session.signal)
          : await diagnose(
              await configure(options),
              (hooks) => connect({ ...options, retries: options.retries ?? 0 }, hooks),
              session.signal,
            );
      print(options.json, { ok: exitCode === 0, findings }, () =>
        [stdoutColors.bold(line('CHECK', 'STATUS', 'FOUND')), ...findings.map(describe)].join('\n'),
      );
      session.exitCode = exitCode;
    });

/** Nothing is cut, also on a narrow terminal: what is found contains what to do. */
function describe({ check, status, message }: Finding): string {
  const text = message.replaceAll('\n', `\n${line('', '', '')}`);
  return line(check, paintOutcome(outcomes[status], status.padEnd(statusWidth)), text);
}

const checkWidth = 8;
const statusWidth = 7;

function line(check: string, status: string, found: string): string {
  return `${check.padEnd(checkWidth)}  ${status.padEnd(statusWidth)}  ${found}`;
}

const outcomes = {
  ok: 'passed',
  failed: 'failed',
  warning: 'inconclusive',
  unknown: 'inconclusive',
} as const;

const examples = `
Examples:
  $ dq doctor
  $ dq doctor --source 'shop=postgres://reader:\${SHOP_PASSWORD}@db/shop' --state 'postgres://dq:\${DQ_PASSWORD}@db/dq'
  $ dq doctor --asset 5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01 --json`;
