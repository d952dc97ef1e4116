import type { Applied } from '../../../rules/index.ts';
import { paintChange } from '../../change-colors.ts';
import { exitCode } from '../../../judgement/exit-code.ts';
import { confirm } from '../../confirm.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import { startProgress } from '../../progress.ts';
import type { Session } from '../../session.ts';
import { stripControlCharacters } from '../../../printable.ts';
import { message, print } from '../../terminal.ts';
import { environmentFlag, readDefinition, variableFlag } from '../../read-definition.ts';

/** `dq rules apply`. */
export const applyDefinition = (session: Session) =>
  assetCommand('apply')
    .summary('make the rules and metrics of an asset those of a definition')
    .description(
      'Makes the rules and metrics of an asset those of a definition. Applying it again changes nothing more, and goes on where an earlier run was interrupted.',
    )
    .argument('<definition...>', 'YAML or JSON files, which together are the definition')
    .option('--prune', 'delete what the definition does not have')
    .option('--replace', 'replace what can only be changed by a new rule, which loses its history')
    .option('--strict', 'exit with 1 if changes are left alone because --prune or --replace is missing')
    .option('-y, --yes', 'delete and replace without asking; a script is never asked')
    .addOption(environmentFlag())
    .addOption(variableFlag())
    .addHelpText('after', examples)
    .action(async (files, options) => {
      const { prune, replace, strict, yes, json } = options;
      const { apply, plan, renderChanges } = await import('../../../rules/index.ts');
      const definition = await readDefinition(files, {
        variables: options.var,
        environment: options.environment,
      });
      const { client, asset } = await connectToAsset(options);
      const { signal } = session;
      const changes = await plan(client, asset, definition, { signal });
      const lossy = [...(prune === true ? changes.delete : []), ...(replace === true ? changes.replace : [])]
        .length;
      if (lossy > 0) {
        if (yes !== true && process.stdin.isTTY && process.stderr.isTTY)
          message(renderChanges(changes).trimEnd());
        await confirm(`Delete or replace ${lossy}, with their history?`, yes, signal);
      }
      const progress = startProgress();
      const applied = await apply(client, changes, {
        prune,
        replace,
        signal,
        onProgress: ({ change, outcome, done, total }) => {
          session.progress = `${done} of ${total} changes made; apply it again to go on`;
          const what = `${change.action} ${change.kind} ${change.table_path} ${change.label}`;
          progress.step(`${done}/${total} ${outcome} ${stripControlCharacters(what)}`);
        },
      }).finally(() => progress.end());
      print(json, applied, () => `${renderChanges(changes, paintChange)}${describe(applied)}`);
      reportSkipped(applied);
      if (strict === true && applied.skipped.length > 0) session.exitCode = exitCode.badData;
    });

function describe({ applied }: Applied): string {
  return `${applied.length} ${applied.length === 1 ? 'change' : 'changes'} made.`;
}

function reportSkipped({ skipped }: Applied): void {
  for (const permission of ['prune', 'replace'] as const) {
    const count = skipped.filter(({ requires }) => requires === permission).length;
    if (count > 0)
      message(
        `Left alone: ${count} that --${permission} would ${permission === 'prune' ? 'delete' : 'replace'}.`,
      );
  }
}

const examples = `
Examples:
  $ dq rules apply rules.yaml
  $ dq rules apply orders.yaml customers.yaml --environment staging --var limit=100
  $ dq rules apply rules.yaml --prune --replace`;
