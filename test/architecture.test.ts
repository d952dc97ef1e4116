// Holds the sources against the table of rooms: who may enter whom, and what each may need.
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

import { endpoints } from '../src/contract/endpoints.ts';

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, '..');

interface Import {
  readonly file: string;
  readonly room: string;
  /** A room, with the file below it where it matters, or a package. */
  readonly target: string;
  readonly kind: 'static' | 'type' | 'dynamic';
}

interface Room {
  /** Rooms it may import from; `type:` in front where only types may come from there, `lazy:` where only a dynamic import may. */
  readonly rooms: readonly string[];
  /** Third-party packages it may name. */
  readonly packages: readonly string[];
  /** Whether it may need `node:` without a dynamic import. */
  readonly node?: true;
}

const rooms: Readonly<Record<string, Room>> = {
  errors: { rooms: ['issue'], packages: [] },
  // What strangers wrote, before a person or a log sees it.
  printable: { rooms: [], packages: [] },
  // The word that a person probably meant.
  closest: { rooms: [], packages: [] },
  // Which names and addresses are those of this machine.
  loopback: { rooms: [], packages: [] },
  // The words of the service, without zod, so that a room which needs a word does not load the schemas.
  vocabulary: { rooms: [], packages: [] },
  // How the stores that processes share call Redis: one shape for those of the client and of the webhooks.
  redis: { rooms: [], packages: [] },
  // How it is said what is wrong with a value, also without zod.
  issue: { rooms: [], packages: [] },
  contract: { rooms: ['vocabulary', 'issue'], packages: ['zod'] },
  http: { rooms: ['errors', 'vocabulary', 'redis', 'contract'], packages: ['ky', 'p-retry', 'zod'] },
  judgement: { rooms: ['vocabulary', 'type:contract'], packages: [] },
  resources: { rooms: ['errors', 'contract', 'http', 'judgement'], packages: [] },
  options: { rooms: ['errors', 'loopback', 'http'], packages: [] },
  client: { rooms: ['type:errors', 'type:contract', 'http', 'options', 'resources'], packages: [] },
  index: {
    rooms: [
      'errors',
      'type:vocabulary',
      'type:redis',
      'type:contract',
      'http',
      'judgement',
      'gate',
      'resources',
      'client',
      'type:options',
    ],
    packages: [],
  },
  webhooks: { rooms: ['errors', 'vocabulary', 'redis'], packages: [] },
  gate: {
    rooms: [
      'errors',
      'printable',
      'vocabulary',
      'type:contract',
      'judgement',
      'type:client',
      'type:resources',
    ],
    packages: ['fast-string-width', 'p-limit'],
  },
  rules: {
    rooms: ['errors', 'printable', 'closest', 'vocabulary', 'contract', 'type:client', 'type:resources'],
    packages: ['p-map', 'yaml', 'zod'],
  },
  opentelemetry: { rooms: ['errors', 'gate', 'type:http', 'type:server'], packages: ['@opentelemetry/api'] },
  // Arithmetic over captured values: the service judges with it, the command line and the report replay it.
  anomalies: { rooms: [], packages: [] },
  service: { rooms: ['vocabulary', 'contract', 'anomalies'], packages: ['zod'] },
  testing: { rooms: ['vocabulary', 'contract', 'judgement', 'service', 'webhooks'], packages: ['msw'] },
  server: {
    rooms: ['errors', 'loopback', 'vocabulary', 'contract', 'anomalies', 'service', 'webhooks'],
    packages: ['@duckdb/node-api', 'pg', 'pg-boss', 'rate-limiter-flexible', 'zod', 'p-limit'],
    node: true,
  },
  engines: {
    rooms: ['errors', 'closest', 'vocabulary', 'contract', 'service', 'server'],
    packages: ['@duckdb/node-api', 'pg', '@clickhouse/client', 'p-limit'],
    node: true,
  },
  local: {
    rooms: ['errors', 'vocabulary', 'contract', 'service', 'server', 'engines', 'type:page', 'lazy:page'],
    packages: ['zod'],
    node: true,
  },
  // Loaded when somebody opens the page: what only serves the interface does not need it.
  page: {
    rooms: ['index', 'judgement', 'report', 'service', 'server', 'type:webhooks'],
    packages: [],
    node: true,
  },
  // Loaded as a whole when a report is asked for, so that it can have what it needs at once.
  report: {
    rooms: ['vocabulary', 'judgement', 'index'],
    packages: ['p-limit'],
    node: true,
  },
  // Loaded as a whole by its command.
  mcp: {
    rooms: [
      'index',
      'printable',
      'vocabulary',
      'contract',
      'judgement',
      'gate',
      'rules',
      'anomalies',
      'report',
    ],
    packages: ['@modelcontextprotocol/server', 'zod'],
    node: true,
  },
  cli: {
    rooms: [
      'index',
      'printable',
      'closest',
      'loopback',
      'vocabulary',
      'judgement',
      'report',
      ...['anomalies', 'gate', 'rules', 'local', 'webhooks', 'testing', 'mcp'].flatMap((it) => [
        `type:${it}`,
        `lazy:${it}`,
      ]),
    ],
    packages: [
      '@commander-js/extra-typings',
      'cli-table3',
      'log-update',
      'open',
      'p-map',
      'picocolors',
      'zod',
    ],
    node: true,
  },
};

const files = globSync('src/**/*.ts', { cwd: root });

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function withoutComments(file: string): string {
  return read(file)
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '');
}

function roomOf(file: string): string {
  for (const room of ['vocabulary', 'issue']) {
    if (file === join('src', 'contract', `${room}.ts`)) return room;
  }
  const [first = '', ...rest] = relative('src', file).split('/');
  return rest.length === 0 ? basename(first, '.ts') : first;
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function importsOf(file: string): Import[] {
  const pattern =
    /^(?:import|export)\s(?<clause>[^'";]*?)from\s*'(?<from>[^']+)'|import\(\s*'(?<lazy>[^']+)'\s*\)|^import\s+'(?<bare>[^']+)'/gm;
  return Array.from(withoutComments(file).matchAll(pattern), ({ groups = {} }) => {
    const specifier = groups['from'] ?? groups['lazy'] ?? groups['bare'] ?? '';
    const isTypeOnly =
      groups['clause']?.startsWith('type ') === true ||
      /^\{(\s*type [^,}]+,?)+\s*\}\s*$/.test(groups['clause'] ?? '');
    return {
      file,
      room: roomOf(file),
      target: specifier.startsWith('.') ? roomOf(join(dirname(file), specifier)) : specifier,
      kind: groups['lazy'] === undefined ? (isTypeOnly ? 'type' : 'static') : 'dynamic',
    };
  });
}

const imports = files.flatMap((file) => importsOf(file));

function isAllowed({ room, target, kind }: Import): boolean {
  const own = rooms[room];
  if (own === undefined) return false;
  if (target === room) return true;
  if (target.startsWith('node:')) return own.node === true || kind === 'dynamic';
  if (!(target in rooms)) return own.packages.includes(packageOf(target));
  return (
    own.rooms.includes(target) ||
    // Whoever makes or catches errors may also say what is wrong.
    (target === 'issue' && own.rooms.some((it) => /^(type:)?(errors|contract)$/.test(it))) ||
    (kind === 'type' && own.rooms.includes(`type:${target}`)) ||
    (kind === 'dynamic' && own.rooms.includes(`lazy:${target}`))
  );
}

function filesThatImport(name: string): string[] {
  const found = imports.filter(({ target }) => target === name).map(({ file }) => file);
  return [...new Set(found)];
}

function matches(pattern: RegExp, except: (file: string) => boolean): string[] {
  return files.filter((file) => !except(file) && pattern.test(withoutComments(file)));
}

describe('rooms', () => {
  test('are those of the table', () => {
    expect(Object.keys(rooms)).toEqual(expect.arrayContaining([...new Set(files.map(roomOf))]));
    expect(imports.length).toBeGreaterThan(100);
  });

  test('are entered only by those who may', () => {
    const refused = imports.filter((it) => !isAllowed(it));
    expect(refused.map(({ file, target, kind }) => `${file} → ${target} (${kind})`)).toEqual([]);
  });

  test('ky and p-retry are each named in one file', () => {
    expect(filesThatImport('ky')).toEqual(['src/http/ky.ts']);
    expect(filesThatImport('p-retry')).toEqual(['src/http/retry.ts']);
  });
});

describe('house rules', () => {
  test('process is read in runtime.ts, state-folder.ts, for the addresses of sources, by the command line and by the worker of the engine alone', () => {
    // Through `process.getBuiltinModule` a runtime like Node gives what others do not have.
    const lazily = ['src/testing/msw-handlers.ts'];
    const allowed = (file: string): boolean =>
      // The worker is the main file of a process of its own.
      [
        'src/options/runtime.ts',
        'src/local/state-folder.ts',
        'src/local/sources.ts',
        'src/engines/duckdb/worker.ts',
      ].includes(file) ||
      roomOf(file).startsWith('cli') ||
      lazily.includes(file);
    expect(matches(/\bprocess\s*\??\.|\{ process\b/, allowed)).toEqual([]);
    for (const file of lazily) {
      expect(withoutComments(file).match(/\bprocess\b[?.\w]*/g)).toEqual(['process?.getBuiltinModule?.']);
    }
  });

  test('console is written to by the command line alone', () => {
    expect(matches(/\bconsole\./, (file) => roomOf(file).startsWith('cli'))).toEqual([]);
  });

  test('no entry point exports what it does not name', () => {
    expect(matches(/export \*/, () => false)).toEqual([]);
  });

  test('no comment points at a document that users do not have', () => {
    expect(files.filter((file) => /\(interface\b/.test(read(file)))).toEqual([]);
  });

  test('files are in kebab case', () => {
    expect(files.filter((file) => !/^src\/([a-z0-9-]+\/)*[a-z0-9-]+\.ts$/.test(file))).toEqual([]);
  });
});

describe('CONTRIBUTING.md', () => {
  const rows = read(join('.github', 'CONTRIBUTING.md'))
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 7 && cells[2]?.startsWith('`src/') === true)
    .map(([, room = '', start = '', belongs = '', ...allowed]) => ({
      room: room.replaceAll('`', ''),
      start: start.replaceAll('`', ''),
      belongs,
      allowed: allowed.map((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name)),
    }));

  test('has the table of rooms that holds for imports', () => {
    const table = rows.map(({ room, allowed: [mayImport = [], packages = []] }) => [
      room,
      { rooms: mayImport.toSorted(), packages: packages.toSorted() },
    ]);
    const wanted = Object.entries(rooms).map(([room, { rooms: mayImport, packages, node }]) => [
      room,
      {
        rooms: mayImport.toSorted(),
        packages: [...packages, ...(node === true ? ['node:*'] : [])].toSorted(),
      },
    ]);
    expect(Object.fromEntries(table)).toEqual(Object.fromEntries(wanted));
  });

  test.each(rows)('says of $room what its first file says', ({ room, start, belongs }) => {
    expect(roomOf(start)).toBe(room);
    const [, header = ''] = /^(?:#!.*\n)?((?:\/\/ .*\n)+)/.exec(read(start)) ?? [];
    expect(
      header
        .replaceAll(/^\/\/ /gm, '')
        .replaceAll('\n', ' ')
        .trim(),
    ).toBe(belongs);
  });

  test('names files that exist', () => {
    const paths = read(join('.github', 'CONTRIBUTING.md')).matchAll(/`((?:src|test)\/[\w./-]+\.(?:ts|md))`/g);
    const missing = Array.from(paths, ([, path = '']) => path).filter(
      (path) => !existsSync(join(root, path)),
    );
    expect(missing).toEqual([]);
  });
});

describe('the registry of endpoints', () => {
  const methods = Object.entries(endpoints).flatMap(([resource, ofResource]) =>
    Object.keys(ofResource).map((method) => [resource, method] as const),
  );

  test.each(methods)('client.%s has the method %s, which calls its endpoint', (resource, method) => {
    const source = read(join('src', 'resources', `${resource}.ts`));
    expect(source).toContain(`${resource}Endpoints.${method}`);
    expect(read('src/client.ts')).toMatch(new RegExp(String.raw`this\.${resource} = new `));
  });

  test.each(methods)('client.%s.%s is called in the tests of its resource', (resource, method) => {
    const tests = read(join('test', 'resources', `${resource}.test.ts`));
    expect(tests).toMatch(new RegExp(String.raw`\.${resource}\s*\.${method}\(`));
  });
});

describe('the types of requests and responses', () => {
  // Bodies that are long have files of their own beside the endpoints.
  // Bodies that are long have files of their own beside the endpoints.
  const described = globSync('src/contract/*.ts', { cwd: root })
    .filter((file) => /-responses\.ts$|\/create-/.test(file) || read(file).includes('defineEndpoint({'))
    .flatMap((file) =>
      Array.from(read(file).matchAll(/^export (?:interface|type) (\w+)/gm), ([, name = '']) => ({
        name,
        file,
      })),
    );

  test.each(['src/index.ts', 'src/contract/index.ts'])('are exported by %s', (entry) => {
    const exported = new Set(read(entry).match(/\w+/g));
    expect(
      described.filter(({ name }) => !exported.has(name)).map(({ name, file }) => `${name} of ${file}`),
    ).toEqual([]);
    expect(described.length).toBeGreaterThan(30);
  });
});

describe('public names', () => {
  const exported = globSync('src/{,*/}index.ts', { cwd: root }).flatMap((entry) =>
    Array.from(
      read(entry).matchAll(/export (?:type )?\{([^}]+)\} from '([^']+)'/g),
      ([, names = '', from = '']) =>
        names
          .split(',')
          .map((name) => name.trim().replace(/^type /, ''))
          .filter((name) => name !== '')
          .map((name) => ({
            entry,
            name: name.split(' as ')[0] ?? name,
            file: join(dirname(entry), from),
          })),
    ).flat(),
  );

  test('each have a doc comment', () => {
    expect(exported.length).toBeGreaterThan(100);
    const bare = exported.filter(({ name, file }) => {
      const declaration = String.raw`export (?:declare |abstract |async )*(?:class|function\*?|interface|type|const) ${name}\b`;
      return !new RegExp(String.raw`\*/\n${declaration}`).test(read(file));
    });
    expect(bare.map(({ entry, name, file }) => `${name} of ${entry}, in ${file}`)).toEqual([]);
  });
});

/** Runs a script in a process of its own, on the sources as they are. */
function run(script: string, ...args: readonly string[]): Promise<{ stdout: string }> {
  const flags = ['--experimental-strip-types', '--no-warnings', '--input-type=module'];
  return execute(process.execPath, [...flags, '--eval', script, ...args], { cwd: root });
}

/** The packages that importing an entry point loads, by a resolution hook in a process of its own. */
async function loadedBy(entry: string): Promise<string[]> {
  const script = `
    import { registerHooks } from 'node:module';
    const seen = new Set();
    registerHooks({
      resolve(specifier, context, next) {
        const resolved = next(specifier, context);
        const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(resolved.url) ?? [];
        seen.add(name ?? resolved.url);
        return resolved;
      },
    });
    await import(process.argv[1]);
    console.log(JSON.stringify([...seen].filter((name) => !name.startsWith('file:'))));
  `;
  const { stdout } = await run(script, join(root, entry));
  return (JSON.parse(stdout) as string[]).sort();
}

describe('entry points', () => {
  test.each([
    ['src/index.ts', ['p-retry', 'zod']],
    ['src/webhooks/index.ts', []],
    ['src/gate/index.ts', ['fast-string-width']],
    ['src/rules/index.ts', ['yaml', 'zod']],
    ['src/contract/index.ts', ['zod']],
    ['src/anomalies/index.ts', []],
    ['src/opentelemetry/index.ts', ['@opentelemetry/api']],
  ])('%s loads %j and nothing else', async (entry, expected) => {
    const loaded = await loadedBy(entry);
    const direct = new Set([
      'ky',
      'p-retry',
      'zod',
      'yaml',
      'fast-string-width',
      '@opentelemetry/api',
      'msw',
      '@duckdb/node-api',
      'hono',
    ]);
    expect(loaded.filter((name) => direct.has(name))).toEqual(expected);
  });

  test.each([
    [
      'msw',
      'src/testing/index.ts',
      "createFakeService({ baseUrl: 'https://dq.test' }).handlers",
      'npm install --save-dev msw',
    ],
    [
      '@duckdb/node-api',
      'src/local/index.ts',
      "await startLocalService({ data: process.cwd() + '/test', port: 0 })",
      'npm install @duckdb/node-api',
    ],
    [
      'pg',
      'src/local/index.ts',
      "await startLocalService({ sources: { shop: 'postgres://127.0.0.1/shop' } })",
      'npm install pg',
    ],
    [
      '@clickhouse/client',
      'src/local/index.ts',
      "await startLocalService({ sources: { events: 'clickhouse://127.0.0.1/events' } })",
      'npm install @clickhouse/client',
    ],
    ...['pg', 'pg-boss', 'rate-limiter-flexible'].map((name) => [
      name,
      'src/local/index.ts',
      "await startLocalService({ data: process.cwd() + '/test/bench', state: 'postgres://127.0.0.1/dq' })",
      'npm install pg pg-boss rate-limiter-flexible',
    ]),
  ])(
    'a missing %s is named with the command that installs it',
    async (name = '', entry = '', use = '', command = '') => {
      const script = `
      import { registerHooks } from 'node:module';
      registerHooks({
        resolve(specifier, context, next) {
          if (specifier !== ${JSON.stringify(name)}) return next(specifier, context);
          const code = context.conditions.includes('require') ? 'MODULE_NOT_FOUND' : 'ERR_MODULE_NOT_FOUND';
          throw Object.assign(new Error('Cannot find package ' + specifier), { code });
        },
      });
      const { createFakeService, startLocalService } = await import(process.argv[1]);
      try {
        ${use};
        console.log('it went on without it');
      } catch (error) {
        console.log(error.message);
      }
      process.exit();
    `;
      const { stdout } = await run(script, join(root, entry));
      expect(stdout).toContain(command);
    },
  );

  test('a service over files loads the driver of no database', async () => {
    const script = `
      import { registerHooks } from 'node:module';
      const refused = ['pg', 'pg-boss', 'rate-limiter-flexible', '@clickhouse/client'];
      registerHooks({
        resolve(specifier, context, next) {
          if (refused.includes(specifier)) console.log('loaded ' + specifier);
          return next(specifier, context);
        },
      });
      const { startLocalService } = await import(process.argv[1]);
      const service = await startLocalService({ data: process.cwd() + '/test/bench' });
      await service.tables();
      console.log('served');
      process.exit();
    `;
    const { stdout } = await run(script, join(root, 'src/local/index.ts'));
    expect(stdout).toBe('served\n');
  });

  test.each([
    'src/index.ts',
    'src/contract/index.ts',
    'src/webhooks/index.ts',
    'src/gate/index.ts',
    'src/rules/index.ts',
    'src/anomalies/index.ts',
  ])('%s runs without Node: no node: module is imported but lazily', async (entry) => {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [entry],
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'browser',
      external: ['node:*'],
      logLevel: 'silent',
    });
    const outside = Object.values(metafile.outputs).flatMap((output) =>
      output.imports.filter((it) => it.external),
    );
    expect(outside.filter(({ kind }) => kind !== 'dynamic-import')).toEqual([]);
    expect(outside.filter(({ path }) => !path.startsWith('node:'))).toEqual([]);
  });
});

test('the way of a call knows no resource', () => {
  expect(matches(/freshness|manifest/i, (file) => !file.startsWith(join('src', 'http')))).toEqual([]);
});
