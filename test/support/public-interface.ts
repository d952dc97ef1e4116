import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

// Version 7 has no compiler API yet.
import ts from 'typescript-6';

const root = resolve(import.meta.dirname, '../..');

/** An exported name of an entry point, as its declarations describe it. */
export interface PublicName {
  readonly name: string;
  readonly symbol: ts.Symbol;
}

/** The built declarations of the package, read as an editor reads them. */
export interface PublicInterface {
  readonly checker: ts.TypeChecker;
  /** The names that each entry point exports, by the specifier that users import. */
  readonly entries: ReadonlyMap<string, readonly PublicName[]>;
}

/** Reads the declarations that `npm run build` made. */
export function readPublicInterface(): PublicInterface {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  const files = Object.entries(manifest.exports).flatMap(([entry, target]) =>
    typeof target === 'string' ? [] : [{ entry, file: join(root, target.types) }],
  );
  const program = ts.createProgram(
    files.map(({ file }) => file),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2024.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'],
      types: ['node'],
      strict: true,
      noEmit: true,
    },
  );
  const checker = program.getTypeChecker();
  const entries = new Map(
    files.map(({ entry, file }) => {
      const source = program.getSourceFile(file);
      const module = source && checker.getSymbolAtLocation(source);
      if (module === undefined) throw new Error(`${file} exports nothing; run npm run build first`);
      const names = checker
        .getExportsOfModule(module)
        .map((symbol) => ({ name: symbol.name, symbol: resolved(checker, symbol) }))
        .toSorted((one, other) => (one.name < other.name ? -1 : 1));
      return [entry.replace(/^\./, 'data-quality-client'), names] as const;
    }),
  );
  return { checker, entries };
}

function resolved(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The declarations of a name without comments, private members and line breaks that mean nothing. */
export function signatureOf({ symbol }: PublicName): string {
  const printer = ts.createPrinter({ removeComments: true });
  const texts = (symbol.declarations ?? []).map((declaration) => {
    // A variable is declared by a statement around it.
    const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    return printer.printNode(ts.EmitHint.Unspecified, statement, statement.getSourceFile());
  });
  return texts.join('\n').replaceAll(/^\s*#private;\n/gm, '');
}

/** The doc comment of a property or name, as an editor shows it. */
export function commentOf(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
}

/** Whether the declaration lies in this package: what a type inherits from a library is documented there. */
function isOurs(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some((declaration) => {
    const { fileName } = declaration.getSourceFile();
    return fileName.startsWith(join(root, 'dist'));
  });
}

/** The fields, options and methods of a type, including those of each of its variants, but not its private ones. */
export function membersOf(checker: ts.TypeChecker, { symbol }: PublicName): ts.Symbol[] {
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const variants = type.isUnion() ? type.types : [type];
  return variants
    .flatMap((variant) => variant.getProperties())
    .filter((member) => isOurs(member) && !member.name.startsWith('#'));
}

/** The names of the types in which the endpoints of the registry respond, by endpoint. */
export function responseTypesOf(
  checker: ts.TypeChecker,
  { symbol }: PublicName,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const room of checker.getTypeOfSymbol(symbol).getProperties()) {
    for (const endpoint of checker.getTypeOfSymbol(room).getProperties()) {
      // Endpoint<Params, Query, Body, Response, …>
      const value = checker.getTypeArguments(checker.getTypeOfSymbol(endpoint) as ts.TypeReference)[3];
      names.set(`${room.name}.${endpoint.name}`, value === undefined ? 'none' : checker.typeToString(value));
    }
  }
  return names;
}
