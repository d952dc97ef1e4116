import type { Applied } from '../../../rules/index.ts';
import { paintChange } from '../../change-colors.ts';
import { assetCommand, connectToAsset } from '../../connection.ts';
import { startProgress } from '../../progress.ts';
import type { Session } from '../../session.ts';
import { stripControlCharacters } from '../../../printable.ts';
import { message, print } from '../../terminal.ts';
import { readText } from '../../text-file.ts';

/** `dq rules apply`. */
export const applyDefinition = (session: Session) =>
  assetCommand('apply')
    .summary('make the rules and metrics of an asset those of a definition')
    .description(
      'Makes the rules and metrics of an asset those of a definition. Applying it again changes nothing more, and goes on where an earlier run was interrupted.',
    )
    .argument('<definition>', 'YAML or JSON file')
    .option('--prune', 'delete what the definition does not have')
    .option('--replace', 'replace what can only be changed by a new rule, which loses its history')
    .addHelpText('after', examples)
    .action(async (file, options) => {
      const { prune, replace, json } = options;
      const definition = await readText(file);
      const { client, asset } = await connectToAsset(options);
      const { signal } = session;
      const { apply, plan, renderChanges } = await import('../../../rules/index.ts');
      const changes = await plan(client, asset, definition, { signal });
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
      tellWhatIsLeft(applied);
    });

function describe({ applied }: Applied): string {
  return `${applied.length} ${applied.length === 1 ? 'change' : 'changes'} made.`;
}

function tellWhatIsLeft({ skipped }: Applied): void {
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
  $ dq rules apply rules.yaml --prune --replace`;
