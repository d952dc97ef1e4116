// Mutates one room at a time: the tests of the room, and of those that stand on it, have to notice.
// `npm run test:mutation` runs every room; `npm run test:mutation -- gate` one of them.
const room = process.env.MUTATED_ROOM ?? 'judgement';

export default {
  packageManager: 'npm',
  plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: true },
  // The preprocessor for TypeScript projects needs a compiler API, which TypeScript 7 has not.
  tsconfigFile: 'none',
  mutate: [`src/${room}/**/*.ts`],
  ignorePatterns: ['dist', 'test/*/node_modules', 'coverage', '.git'],
  // Messages and blocks as a whole say little; conditions, arithmetic, calls and literals do.
  mutator: { excludedMutations: ['StringLiteral', 'BlockStatement', 'ObjectLiteral', 'ArrayDeclaration'] },
  ignoreStatic: true,
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 10_000,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
  jsonReporter: { fileName: `coverage/mutation/${room}.json` },
  // `--incremental` runs what the changes since the last such run ask for: new tests, and new mutants.
  incrementalFile: `coverage/mutation/${room}.incremental.json`,
  tempDirName: 'coverage/mutation/sandbox',
  thresholds: { high: 90, low: 85, break: 85 },
  disableTypeChecks: false,
};
