/**
 * The last step of `npm run build`: deletes declarations that no entry reaches, minifies chunks that are other people's
 * code, and writes THIRD-PARTY-NOTICES.txt.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

import { transform } from 'esbuild';

import { pruneDeclarations } from './prune-declarations.ts';
import { bundledPackages, thirdPartyNotices } from './third-party-notices.ts';

interface Metafile {
  readonly outputs: Readonly<
    Record<string, { readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>> }>
  >;
}

const metafilePath = 'dist/metafile-esm.json';
const { outputs } = JSON.parse(readFileSync(metafilePath, 'utf8')) as Metafile;
const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};

pruneDeclarations(
  'dist',
  Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? [] : entry.types)),
);

for (const [file, { inputs }] of Object.entries(outputs)) {
  if (!isMostlyThirdParty(inputs)) continue;
  const { code } = await transform(readFileSync(file, 'utf8'), {
    minify: true,
    format: 'esm',
    target: 'es2023',
    legalComments: 'inline',
  });
  writeFileSync(file, code);
}

const sources = Object.values(outputs).flatMap(({ inputs }) =>
  Object.entries(inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([source]) => source),
);
writeFileSync('dist/THIRD-PARTY-NOTICES.txt', thirdPartyNotices(bundledPackages(sources)));
rmSync(metafilePath);

/** Our own code ships readable, as it stands in stack traces; charts are a megabyte that nobody reads. */
function isMostlyThirdParty(inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>): boolean {
  const bytes = (thirdParty: boolean): number =>
    Object.entries(inputs)
      .filter(([source]) => source.includes('node_modules/') === thirdParty)
      .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  return bytes(true) > 100_000 && bytes(true) > bytes(false);
}
