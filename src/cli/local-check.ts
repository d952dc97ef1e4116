import type { GateOptions, Verdict } from '../gate/index.ts';
import { CliError } from './cli-error.ts';
import { exitCode } from '../judgement/exit-code.ts';
import { runGate } from './gate-run.ts';
import type { Sources } from './source-flag.ts';
import type { Session } from './session.ts';
import { type DefinitionFlags, readDefinitions, tableFreshness } from './read-definition.ts';
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
  files: readonly string[],
  options: GateOptions & DefinitionFlags,
): Promise<Verdict> {
  if (files.length === 0) {
    throw new CliError(
      exitCode.usage,
      localData.sources === undefined
        ? '--local needs the folder of the data and a definition: dq rules check --local ./data rules.yaml'
        : '--source needs a database and a definition: dq rules check --source postgres://reader@host/database rules.yaml',
    );
  }
  const { apply, freshnessExpectations, labelsOf, mergeDefinitions, plan } =
    await import('../rules/index.ts');
  const { var: _variables, environment: _environment, tag, owner, ...gateOptions } = options;
  const definitions = await readDefinitions(files, options);
  // The folder, or the database, has the tables of all assets.
  const definition = mergeDefinitions(
    definitions.map(({ asset, definition: own }) => ({ source: `asset ${asset}`, definition: own })),
  );
  const { signal } = session;
  return onTemporaryService(
    { ...localData, freshness: tableFreshness([definition]) },
    async (client, asset) => {
      await apply(client, await plan(client, asset, definition, { signal }), { signal });
      const expectations = freshnessExpectations(asset, definition);
      return runGate(session, client, [asset], {
        ...gateOptions,
        labels: labelsOf(definition),
        rules: tag === undefined && owner === undefined ? true : { tag, owner },
        freshness: expectations.length === 0 ? false : { expectations },
      });
    },
  );
}
