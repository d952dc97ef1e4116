/**
 * `npm run test:mutation`: mutates the rooms one after the other and reports how many mutants their tests notice.
 * Fails below 85 %. Names of rooms mutate only those; options of Stryker are passed on, such as `--incremental`,
 * `--concurrency=1` and `--mutate=src/http/call.ts`. Takes from minutes to an hour for a room.
 */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const rooms = ['http', 'webhooks', 'service', 'gate', 'judgement', 'rules', 'resources'];
const given = process.argv.slice(2);
const options = given.filter((word) => word.startsWith('-'));
const named = given.filter((word) => !word.startsWith('-'));
const chosen = named.length > 0 ? named : rooms;
const stryker = join(import.meta.dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js');
const configuration = join(import.meta.dirname, 'stryker.config.mjs');

const failed = chosen.filter((room) => {
  console.log(`\n${room}`);
  const { status } = spawnSync(process.execPath, [stryker, 'run', configuration, ...options], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { ...process.env, MUTATED_ROOM: room },
    stdio: 'inherit',
  });
  return status !== 0;
});
if (failed.length > 0) console.log(`\nBelow 85 %, or not run to the end: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
