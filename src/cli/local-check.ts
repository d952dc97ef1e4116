import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { GateOptions, Verdict } from '../gate/index.ts';
import { CliError } from './cli-error.ts';
import { exitCode } from '../judgement/exit-code.ts';
import { runGate } from './gate-run.ts';
import type { Sources } from './source-flag.ts';
import type { Session } from './session.ts';
import { readDefinition } from './read-definition.ts';

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
  const { startLocalService } = await import('../local/index.ts');
  const { DataQualityClient } = await import('../index.ts');
  const state = await mkdtemp(join(tmpdir(), 'dq-check-'));
  try {
    await using service = await startLocalService({ ...localData, state, allowDestinations: false });
    const asset = service.assets[0]?.id ?? '';
    const client = new DataQualityClient({
      baseUrl: service.url,
      apiKey: service.keys.readWrite,
      rateLimit: false,
    });
    const { signal } = session;
    await apply(client, await plan(client, asset, definition, { signal }), { signal });
    return await runGate(session, client, [asset], options);
  } finally {
    await rm(state, { recursive: true, force: true });
  }
}
