import { assetCommand, connect } from '../connection.ts';
import { configure } from '../configuration.ts';
import { diagnose } from '../diagnosis.ts';
import type { Session } from '../session.ts';
import { paintedBy } from '../status.ts';
import { table } from '../table.ts';
import { print } from '../terminal.ts';

/** `dq doctor`. */
export const create = (session: Session) =>
  assetCommand('doctor')
    .description(
      'Finds out why something does not work: settings, Node, whether the service responds, what the key may do, the clock and the limits. Works without a key.',
    )
    .addHelpText('after', examples)
    .action(async (options) => {
      const configuration = await configure(options);
      const { findings, exitCode } = await diagnose(
        configuration,
        (hooks) => connect({ ...options, retries: options.retries ?? 0 }, hooks),
        session.signal,
      );
      print(options.json, { ok: exitCode === 0, findings }, () =>
        table(
          ['CHECK', 'STATUS', 'FOUND'],
          findings.map(({ check, status, message }) => [check, paintedBy(outcomes[status], status), message]),
        ),
      );
      session.exitCode = exitCode;
    });

const outcomes = {
  ok: 'passed',
  failed: 'failed',
  warning: 'inconclusive',
  unknown: 'inconclusive',
} as const;

const examples = `
Examples:
  $ dq doctor
  $ dq doctor --asset 5e1f1c1e-0d3f-4c5b-9a57-1f6d1d1c0a01 --json`;
