import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { main, quote } from '../support/dq.ts';
import { testFolder } from '../support/test-folder.ts';

/** The rules that the project has, of which the second fails on its data. */
const definition = `tables:
  data.main.orders:
    rules:
      - { name: id is known, rule_type: NOT_NULL, column_name: id, severity: critical }
      - { name: email is known, rule_type: NOT_NULL, column_name: email }
`;

/** A project in which a pipeline runs: data, rules, and programs that a pipeline calls. */
export async function createProject() {
  const folder = await mkdtemp(join(testFolder, 'dq-pipeline-'));
  const data = join(folder, 'data');
  const programs = join(folder, 'node_modules/.bin');
  const calls = join(folder, 'calls');
  await mkdir(data);
  await mkdir(programs, { recursive: true });
  await writeFile(join(data, 'orders.csv'), 'id,email\n1,a@example.com\n2,\n');
  await writeFile(join(folder, 'rules.yaml'), definition);
  await writeFile(calls, '');
  const dq = `${quote(process.execPath)} ${quote(main)}`;
  await writeScript(join(programs, 'dq'), `exec ${dq} "$@"`);
  await writeScript(join(programs, 'npx'), 'exec "$@"');
  // Installs into the folder after --prefix, if there is one.
  const install = `if [[ \${2-} == --prefix ]]; then mkdir -p "$3/node_modules/.bin"; cp ${quote(join(programs, 'dq'))} "$3/node_modules/.bin/dq"; fi`;
  await writeScript(join(programs, 'npm'), `printf '%s\\n' "npm $*" >> ${quote(calls)}\n${install}`);
  await writeScript(join(folder, 'publish.sh'), `echo published >> ${quote(calls)}`);
  return {
    folder,
    data,
    definition: join(folder, 'rules.yaml'),
    /** The path on which the programs of the project are found first. */
    env: { PATH: `${programs}:${process.env['PATH']}` },
    /** Repairs the row that fails. */
    repair: () => writeFile(join(data, 'orders.csv'), 'id,email\n1,a@example.com\n2,b@example.com\n'),
    /** The calls of npm and of the script that publishes. */
    calls: async () => (await readFile(calls, 'utf8')).split('\n').filter((line) => line !== ''),
  };
}

async function writeScript(path: string, script: string): Promise<void> {
  await writeFile(path, `#!/usr/bin/env bash\nset -euo pipefail\n${script}\n`);
  await chmod(path, 0o755);
}
