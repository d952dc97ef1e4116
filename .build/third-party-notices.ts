import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A package whose code is copied into `dist`, with the texts that its licence asks us to ship. */
interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly texts: readonly { readonly file: string; readonly text: string }[];
}

/** Returns the folders below `node_modules` that the given source files come from. */
export function bundledPackages(sources: readonly string[]): string[] {
  const folders = sources.flatMap((source) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(source)?.[0] ?? []);
  return [...new Set(folders)].toSorted();
}

/**
 * Returns the text of THIRD-PARTY-NOTICES.txt: name, version and licence of each bundled package, with its licence and
 * notice files as they are.
 *
 * @throws Error if a package ships neither a licence file nor an SPDX identifier.
 */
export function thirdPartyNotices(folders: readonly string[]): string {
  // Two copies of one version, nested differently, are one package.
  const sections = new Set(folders.map((folder) => describe(readPackage(folder))).toSorted());
  const heading =
    'The command line, the report and the rules of data-quality-client contain code of the packages below.';
  return `${[heading, ...sections].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function readPackage(folder: string): BundledPackage {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const texts = [folder, join(folder, 'licenses')].flatMap((directory) =>
    (existsSync(directory) ? readdirSync(directory) : [])
      .filter(
        (file) => /^(licen[sc]e|notice|copying)/i.test(file) && statSync(join(directory, file)).isFile(),
      )
      .toSorted()
      .map((file) => ({ file, text: readFileSync(join(directory, file), 'utf8').trim() })),
  );
  if (texts.length === 0 && manifest.license === undefined) {
    throw new Error(`${manifest.name} is bundled, but ships no licence; do not bundle it`);
  }
  return {
    name: manifest.name,
    version: manifest.version,
    license: manifest.license ?? 'see below',
    texts,
  };
}

function describe({ name, version, license, texts }: BundledPackage): string {
  const title = `${name} ${version} (${license})`;
  if (texts.length === 0) return `${title}\n\nThe package ships no licence file of its own.`;
  return [title, ...texts.map(({ file, text }) => `[${file}]\n\n${text}`)].join('\n\n');
}
