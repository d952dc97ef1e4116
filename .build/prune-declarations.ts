import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Deletes the declarations below `folder` that no entry reaches: nobody can import them, so nobody should get them. */
export function pruneDeclarations(folder: string, entries: readonly string[]): void {
  const reached = new Set<string>();
  const pending = entries.map((entry) => normalize(entry));
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    pending.push(...importedBy(file));
  }
  for (const file of globSync(join(folder, '**/*.d.ts'))) if (!reached.has(file)) rmSync(file);
}

function importedBy(file: string): string[] {
  const specifiers = readFileSync(file, 'utf8').matchAll(
    /(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g,
  );
  return Array.from(specifiers, ([, specifier = '']) =>
    join(dirname(file), specifier.replace(/\.(js|ts)$/, '.d.ts')),
  ).filter((target) => existsSync(target));
}
