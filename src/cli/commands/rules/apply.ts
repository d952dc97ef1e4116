import type { DataQualityClient } from '../../../index.ts';
import { exitCode } from '../../../judgement/exit-code.ts';
import type { Applied, ApplyEvent, ApplyOptions, Changes } from '../../../rules/index.ts';
import { paintChange } from '../../change-colors.ts';
import { confirm } from '../../confirm.ts';
import { assetCommand, connect } from '../../connection.ts';
import { environmentFlag, variableFlag } from '../../definition-flags.ts';
import { warnOfMissingTables } from '../../missing-tables.ts';
import { perAsset } from '../../per-asset.ts';
import { startProgress } from '../../progress.ts';
import type { Session } from '../../session.ts';
import { stripControlCharacters } from '../../../printable.ts';
import { message, print } from '../../terminal.ts';
import { readDefinitions, withAssets } from '../../read-definition.ts';

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
      const { plan, renderChanges } = await import('../../../rules/index.ts');
      const definitions = await readDefinitions(files, options);
      let headers: Headers | undefined;
      const client = await connect(options, { onResponse: (event) => void ({ headers } = event) });
      const { signal } = session;
      // Every asset is planned before any is changed: a plan that fails leaves all of them as they were.
      const plans: Changes[] = [];
      for (const { assetId, definition } of await withAssets(definitions, options)) {
        plans.push(await plan(client, assetId, definition, { signal }));
      }
      await warnOfMissingTables(client, plans, headers, signal);
      const shown = plans.map((changes) => withPermissions(changes, options));
      const lossy = plans.flatMap((changes) => [
        ...(prune === true ? changes.delete : []),
        ...(replace === true ? changes.replace : []),
      ]).length;
      if (lossy > 0) {
        if (yes !== true && process.stdin.isTTY && process.stderr.isTTY)
          message(perAsset(definitions, shown, (changes) => renderChanges(changes)).text);
        await confirm(`Delete or replace ${lossy}, with their history?`, yes, signal);
      }
      const applied = await applyPlans(session, client, plans, { prune, replace });
      const made = applied.reduce((sum, one) => sum + one.applied.length, 0);
      const { data } = perAsset(definitions, applied, () => '');
      const { text } = perAsset(definitions, shown, (changes) => renderChanges(changes, paintChange));
      print(json, data, () => `${text}\n${made} ${made === 1 ? 'change' : 'changes'} made.`);
      const skipped = applied.flatMap((one) => one.skipped);
      reportSkipped(skipped);
      if (strict === true && skipped.length > 0) session.exitCode = exitCode.badData;
    });

/** The changes without the permission that they require, if it is given. */
function withPermissions(
  changes: Changes,
  { prune, replace }: Pick<ApplyOptions, 'prune' | 'replace'>,
): Changes {
  return {
    ...changes,
    ...(prune === true && { delete: changes.delete.map(({ requires: _given, ...change }) => change) }),
    ...(replace === true && { replace: changes.replace.map(({ requires: _given, ...change }) => change) }),
  };
}

interface AppliedToAsset extends Applied {
  readonly assetId: string;
}

/**
 * Applies one plan after the other. A change that the service refuses keeps nothing else from being made; then the first
 * refusal ends the command.
 */
async function applyPlans(
  session: Session,
  client: DataQualityClient,
  plans: readonly Changes[],
  permitted: Pick<ApplyOptions, 'prune' | 'replace'>,
): Promise<AppliedToAsset[]> {
  const { apply, ApplyError } = await import('../../../rules/index.ts');
  const applied: AppliedToAsset[] = [];
  const refusals: Error[] = [];
  for (const changes of plans) {
    const progress = startProgress();
    const onProgress = ({ change, outcome, done, total }: ApplyEvent): void => {
      const where = plans.length === 1 ? '' : ` of asset ${changes.assetId}`;
      session.progress = `${done} of ${total} changes${where} made; apply it again to go on`;
      const what = `${change.action} ${change.kind} ${change.table_path} ${change.label}`;
      progress.step(`${done}/${total} ${outcome} ${stripControlCharacters(what)}`);
    };
    try {
      const made = await apply(client, changes, { ...permitted, signal: session.signal, onProgress });
      applied.push({ assetId: changes.assetId, ...made });
    } catch (error) {
      const isRefused = error instanceof ApplyError && error.applied.pending.length === 0;
      if (!isRefused) throw error;
      refusals.push(error);
    } finally {
      progress.end();
    }
  }
  const [first] = refusals;
  if (first !== undefined) throw first;
  return applied;
}

function reportSkipped(skipped: Applied['skipped']): void {
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
