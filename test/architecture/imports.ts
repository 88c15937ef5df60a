/** Reads the imports of a source tree, for the tests of the architecture. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

export interface Import {
  /** The importing file, relative to the root. */
  readonly from: string;
  /** A file relative to the root, or the name of a package. */
  readonly to: string;
  readonly kind: 'value' | 'type' | 'dynamic' | 'side effect';
}

export type Sources = ReadonlyMap<string, string>;

export function readSources(root: string): Sources {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  return new Map(files.map(file => [file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')]));
}

/** By the syntax tree: a text in a template that looks like an import is none. */
export function importsOf(sources: Sources): readonly Import[] {
  return [...sources].flatMap(([from, text]) => {
    const found: Import[] = [];
    const add = (specifier: string, kind: Import['kind']) => {
      const to = specifier.startsWith('.') ? relative('.', join(dirname(from), specifier)) : specifier;
      found.push({ from, to: to.replaceAll('\\', '/').replace(/^(.*)\.js$/, '$1.ts'), kind });
    };
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier))
        add(node.moduleSpecifier.text, kindOf(node));
      else if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier))
        add(node.moduleSpecifier.text, node.isTypeOnly ? 'type' : 'value');
      else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
        const [first] = node.arguments;
        if (first && ts.isStringLiteral(first)) add(first.text, 'dynamic');
      } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
        const { literal } = node.argument;
        if (ts.isStringLiteral(literal)) add(literal.text, 'type');
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(from, text, ts.ScriptTarget.Latest));
    return found;
  });
}

function kindOf({ importClause }: ts.ImportDeclaration): Import['kind'] {
  if (!importClause) return 'side effect';
  const { namedBindings } = importClause;
  const named = namedBindings && ts.isNamedImports(namedBindings) ? namedBindings.elements : undefined;
  const areTypes =
    named !== undefined && !importClause.name && named.length > 0 && named.every(each => each.isTypeOnly);
  return importClause.isTypeOnly || areTypes ? 'type' : 'value';
}

export const isLocal = ({ to }: Import): boolean => to.endsWith('.ts');
export const roomOf = (file: string): string => (file.includes('/') ? file.split('/')[0]! : '');
/** The first two folders: `oracle/http`; nothing for a file that lies in the room itself. */
export const subRoomOf = (file: string): string => {
  const parts = file.split('/');
  return parts.length > 2 ? parts.slice(0, 2).join('/') : '';
};

/** Files that import each other in a circle, by what is there at run time. */
export function cyclesIn(imports: readonly Import[]): readonly (readonly string[])[] {
  const next = new Map<string, string[]>();
  for (const each of imports)
    if (isLocal(each) && each.kind !== 'type') next.set(each.from, [...(next.get(each.from) ?? []), each.to]);
  const cycles: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const walk = (file: string): void => {
    const at = path.indexOf(file);
    if (at >= 0) cycles.push([...path.slice(at), file]);
    if (at >= 0 || done.has(file)) return;
    path.push(file);
    for (const other of next.get(file) ?? []) walk(other);
    path.pop();
    done.add(file);
  };
  for (const file of next.keys()) walk(file);
  return cycles;
}
