/** Names of JavaScript and TypeScript, resolved by the compiler. */
import type TypeScript from 'typescript';
import { type FlatTree, isLeaf } from '../flat-tree.js';
import type { Binding } from './bindings.js';

/**
 * Bindings of JavaScript and TypeScript by TypeScript's own checker: it knows scopes, hoisting, merged declarations,
 * shadowing, shorthand properties and members exactly, reads broken files, and is the reference for the language.
 * One file, no library files, no resolution of imports: milliseconds instead of seconds. `code`: the text, with blanks for what is in another language.
 */
export async function bindingsByTypeScript(
  tree: FlatTree,
  file: string,
  code = tree.text,
): Promise<readonly Binding[] | undefined> {
  if (tree.text.length > 1_000_000) return undefined;
  const { default: ts } = await import('typescript');
  try {
    return collect(ts, tree, checkerOf(ts, file, code), leavesByStart(tree));
  } catch {
    // The compiler itself may crash on the input: that can be the very failure to reproduce.
    return undefined;
  }
}

/**
 * Reads the names that are used and declared nowhere in a text (globals included): a reference that dangles after an edit is
 * new here. Synchronous for many texts, after the compiler is loaded. `isAsked`: the names to look for, all by default.
 */
export async function freeNamesReader(
  file: string,
): Promise<(text: string, isAsked?: (name: string) => boolean) => ReadonlySet<string>> {
  const { default: ts } = await import('typescript');
  return (text, isAsked = () => true) => freeNamesIn(ts, checkerOf(ts, file, text), isAsked);
}

function freeNamesIn(
  ts: typeof TypeScript,
  { source, checker }: Checked,
  isAsked: (name: string) => boolean,
): ReadonlySet<string> {
  const free = new Set<string>();
  const pending: TypeScript.Node[] = [source];
  while (pending.length > 0) {
    const node = pending.pop()!;
    if (ts.isIdentifier(node)) {
      if (!isAsked(node.text)) continue;
      if (isReference(ts, node) && symbolAt(ts, checker, node)?.declarations === undefined) free.add(node.text);
      const exported = ts.isExportSpecifier(node.parent) && (node.parent.propertyName ?? node.parent.name) === node;
      if (exported && checker.getExportSpecifierLocalTargetSymbol(node.parent)?.declarations === undefined)
        free.add(node.text);
    } else ts.forEachChild(node, child => void pending.push(child));
  }
  return free;
}

function isReference(ts: typeof TypeScript, node: TypeScript.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent))
    return (ts.isQualifiedName(parent) ? parent.left : parent.expression) === node;
  if (ts.isPropertyAssignment(parent) || ts.isJsxAttribute(parent) || ts.isMetaProperty(parent))
    return (parent as { initializer?: TypeScript.Node }).initializer === node;
  return (
    !ts.isImportSpecifier(parent) &&
    !ts.isBindingElement(parent) &&
    !ts.isLabeledStatement(parent) &&
    !ts.isBreakOrContinueStatement(parent) &&
    ts.getNameOfDeclaration(parent as TypeScript.Declaration) !== node
  );
}

export interface Checked {
  readonly source: TypeScript.SourceFile;
  readonly checker: TypeScript.TypeChecker;
}

export function checkerOf(ts: typeof TypeScript, name: string, text: string): Checked {
  const options: TypeScript.CompilerOptions = {
    allowJs: true,
    noLib: true,
    noResolve: true,
    jsx: ts.JsxEmit.Preserve,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
  };
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true);
  const host: TypeScript.CompilerHost = {
    getSourceFile: file => (file === name ? source : undefined),
    getDefaultLibFileName: () => 'lib.d.ts',
    writeFile: () => undefined,
    getCurrentDirectory: () => '',
    getCanonicalFileName: file => file,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: file => file === name,
    readFile: () => undefined,
  };
  const program = ts.createProgram([name], options, host);
  return { source, checker: program.getTypeChecker() };
}

function collect(
  ts: typeof TypeScript,
  tree: FlatTree,
  { source, checker }: Checked,
  leaves: ReadonlyMap<number, number>,
): Binding[] {
  const found = new Map<TypeScript.Symbol, { name: string; definitions: number[]; uses: number[] }>();
  const pending: TypeScript.Node[] = [source];
  while (pending.length > 0) {
    const node = pending.pop()!;
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const leaf = leaves.get(node.getStart(source));
      const symbol = leaf === undefined ? undefined : symbolAt(ts, checker, node);
      if (leaf === undefined || symbol === undefined || tree.end[leaf] !== node.end) continue;
      const binding = found.get(symbol) ?? { name: node.text, definitions: [], uses: [] };
      found.set(symbol, binding);
      const declares = symbol.declarations?.some(one => ts.getNameOfDeclaration(one) === node) === true;
      (declares ? binding.definitions : binding.uses).push(leaf);
    } else ts.forEachChild(node, child => void pending.push(child));
  }
  const inOrder = (a: number, b: number): number => a - b;
  return [...found.values()]
    .filter(binding => binding.definitions.length > 0)
    .map(binding => ({ ...binding, definitions: binding.definitions.sort(inOrder), uses: binding.uses.sort(inOrder) }))
    .sort((a, b) => a.definitions[0]! - b.definitions[0]!);
}

export function symbolAt(
  ts: typeof TypeScript,
  checker: TypeScript.TypeChecker,
  node: TypeScript.Identifier | TypeScript.PrivateIdentifier,
) {
  if (ts.isShorthandPropertyAssignment(node.parent)) return checker.getShorthandAssignmentValueSymbol(node.parent);
  // Members need the type of what is before the dot: that is expensive, and at worst a dangling member fails at run time.
  if (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) return undefined;
  return checker.getSymbolAtLocation(node);
}

function leavesByStart(tree: FlatTree): ReadonlyMap<number, number> {
  const leaves = new Map<number, number>();
  for (let node = 0; node < tree.count; node++)
    if (isLeaf(tree, node) && tree.end[node]! > tree.start[node]!) leaves.set(tree.start[node]!, node);
  return leaves;
}
