import { spawnSync } from 'node:child_process';

/**
 * Whether a program that some tests need is installed. If it is not, the reason for skipping them is printed, or, if
 * the environment variable `REQUIRED_TOOLS` names the program, an error is thrown: a continuous integration that has
 * installed it must not skip its tests. `program` is its path, if that is not its name.
 */
export function hasTool(name: string, versionFlag = '--version', program = name): boolean {
  if (spawnSync(program, [versionFlag], { stdio: 'ignore' }).status === 0) return true;
  if ((process.env['REQUIRED_TOOLS'] ?? '').split(' ').includes(name)) {
    throw new Error(`${name} is installed, but "${name} ${versionFlag}" failed: its tests would be skipped`);
  }
  process.stderr.write(`skipped: the tests with ${name}, which is not installed\n`);
  return false;
}
