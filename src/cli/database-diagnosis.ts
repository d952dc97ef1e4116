import { exitCode } from '../judgement/exit-code.ts';
import type { Diagnosis, Finding } from './diagnosis.ts';
import { listTables } from './list-tables.ts';
import type { Sources } from './source-flag.ts';
import { onTemporaryService } from './temporary-service.ts';

/** Looks at databases as sources and as state, and changes nothing in them. */
export async function diagnoseDatabases(
  sources: Sources,
  state: string | undefined,
  signal: AbortSignal,
): Promise<Diagnosis> {
  const findings: Finding[] = [];
  for (const [name, url] of Object.entries(sources)) {
    findings.push(await finding('source', async () => describeSource(name, url, signal)));
  }
  if (state !== undefined) {
    const { inspectState } = await import('../local/inspect-state.ts');
    findings.push(await finding('state', async () => inspectState(state)));
  }
  signal.throwIfAborted();
  const isWhole = findings.every(({ status }) => status === 'ok');
  return { findings, exitCode: isWhole ? exitCode.done : exitCode.inconclusive };
}

async function describeSource(name: string, url: string, signal: AbortSignal): Promise<string> {
  const tables = await onTemporaryService({ sources: { [name]: url } }, async (client, asset) =>
    listTables(client, asset, signal),
  );
  const columns = tables.reduce((sum, table) => sum + table.columns.length, 0);
  if (tables.length === 0) throw new Error(`${name}: the role may read no table`);
  return `${name}: ${tables.length === 1 ? '1 table' : `${tables.length} tables`} with ${columns} columns`;
}

async function finding(check: string, describe: () => Promise<string>): Promise<Finding> {
  try {
    return { check, status: 'ok', message: await describe() };
  } catch (error) {
    return { check, status: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
