import type { GateOptions, Verdict } from '../gate/index.ts';
import { CliError } from './cli-error.ts';
import { exitCode } from '../judgement/exit-code.ts';
import { runGate } from './gate-run.ts';
import type { Sources } from './source-flag.ts';
import type { Session } from './session.ts';
import { readDefinition } from './read-definition.ts';
import { onTemporaryService } from './temporary-service.ts';

/** What a definition is tried on. */
export interface LocalData {
  /** The files of a folder. */
  readonly data?: string | undefined;
  /** A database. */
  readonly sources?: Sources | undefined;
}

/** Tries a definition on data, on a service that lives as long as that takes and keeps nothing. */
export async function checkLocally(
  session: Session,
  localData: LocalData,
  names: readonly string[],
  options: GateOptions,
): Promise<Verdict> {
  const [file] = names;
  if (file === undefined || names.length > 1) {
    throw new CliError(
      exitCode.usage,
      localData.sources === undefined
        ? '--local checks one definition: dq rules check --local ./data rules.yaml'
        : '--source checks one definition: dq rules check --source postgres://reader@host/database rules.yaml',
    );
  }
  const { apply, plan } = await import('../rules/index.ts');
  const definition = await readDefinition([file]);
  const { signal } = session;
  return onTemporaryService(localData, async (client, asset) => {
    await apply(client, await plan(client, asset, definition, { signal }), { signal });
    return runGate(session, client, [asset], options);
  });
}
