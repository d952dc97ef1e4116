import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the demo writes for its reader, and what Node, Chromium and chDB keep for themselves. */
const expected = /^(data-quality-report\.html|node-compile-cache|playwright|chdb-node|\.?org\.chromium)/;

/**
 * Gives a run of the tests one temporary folder and deletes it in the end. What the tests make lies in a part of its
 * own (test-folder.ts), so that whatever else is left was left behind by the package: the run fails.
 */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'dq-tests-'));
  // A database server runs as a user of its own, and has to reach its folder below.
  chmodSync(folder, 0o711);
  const parts = {
    TEST_FOLDER: 'made',
    TMPDIR: 'temporary',
    XDG_STATE_HOME: 'state',
    // Hundreds of processes load the same modules.
    NODE_COMPILE_CACHE: 'compiled',
  };
  for (const [variable, part] of Object.entries(parts)) {
    process.env[variable] = join(folder, part);
    mkdirSync(join(folder, part));
  }
  return () => {
    const left = readdirSync(join(folder, parts.TMPDIR)).filter((name) => !expected.test(name));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    if (left.length > 0) throw new Error(`Left behind in the temporary folder: ${left.join(', ')}`);
  };
}
