/**
 * `npm run test:mutation`: mutates the rooms one after the other and reports how many mutants their tests notice.
 * Fails below 85 %. Names of rooms mutate only those. Takes from minutes to an hour for a room.
 */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const rooms = ['http', 'webhooks', 'service', 'gate', 'judgement', 'rules', 'resources'];
const chosen = process.argv.length > 2 ? process.argv.slice(2) : rooms;
const stryker = join(import.meta.dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const configuration = join(import.meta.dirname, 'stryker.config.mjs');

const failed = chosen.filter((room) => {
  console.log(`\n${room}`);
  const { status } = spawnSync(process.execPath, [stryker, 'run', configuration], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { ...process.env, MUTATED_ROOM: room },
    stdio: 'inherit',
  });
  return status !== 0;
});
if (failed.length > 0) console.log(`\nBelow 85 %, or not run to the end: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
