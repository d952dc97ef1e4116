/** The last step of `npm run build`: deletes declarations that no entry reaches, and writes THIRD-PARTY-NOTICES.txt. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

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

const sources = Object.values(outputs).flatMap(({ inputs }) =>
  Object.entries(inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([source]) => source),
);
writeFileSync('dist/THIRD-PARTY-NOTICES.txt', thirdPartyNotices(bundledPackages(sources)));
rmSync(metafilePath);
