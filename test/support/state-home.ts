import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives the states of the services that tests start a place of their own, and removes it in the end. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'dq-state-'));
  process.env['XDG_STATE_HOME'] = folder;
  return async () => rm(folder, { recursive: true, force: true });
}
