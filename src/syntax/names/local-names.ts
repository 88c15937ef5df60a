/** The local names of a JavaScript text: what each is bound to, where it is visible, and where it is mentioned. */
import type TypeScript from 'typescript';
import { checkerOf, symbolAt } from './typescript.js';

/** From an offset up to another one. */
export type Range = readonly [from: number, to: number];

/** How a mention is written under another name. */
type Spelling = 'plain' | 'member' | 'imported' | 'exported';

export interface Mention {
  readonly start: number;
  readonly end: number;
  /** `{a}` becomes `{a:b}`, and not `{b}`. */
  readonly spelling: Spelling;
}

export interface Local {
  readonly name: string;
  /** What can see it. */
  readonly scope: Range;
  /** In order. */
  readonly mentions: readonly Mention[];
}

export interface LocalNames {
  readonly locals: readonly Local[];
  /** Where names are mentioned that must stay as they are: globals, and what other files see. */
  readonly fixed: ReadonlyMap<string, readonly number[]>;
  /** Where functions are, each with the word `function` in front. */
  readonly functions: readonly Range[];
}

/** Undefined if the text can't be analysed. */
export async function localNamesReader(): Promise<(text: string) => LocalNames | undefined> {
  const { default: ts } = await import('typescript');
  return text => {
    try {
      return localsIn(ts, text);
    } catch {
      // The compiler may crash on a damaged text.
      return undefined;
    }
  };
}

interface Growing {
  readonly name: string;
  readonly scope: Range;
  readonly mentions: Mention[];
}

function localsIn(ts: typeof TypeScript, text: string): LocalNames {
  const { source, checker } = checkerOf(ts, 'text.js', text);
  const isModule = ts.isExternalModule(source) || /\b(?:module|exports|require)\b/.test(text);
  const found = new Map<TypeScript.Symbol, Growing | undefined>();
  const fixed = new Map<string, number[]>();
  const functions: Range[] = [];
  const pending: TypeScript.Node[] = [source];
  while (pending.length > 0) {
    const node = pending.pop()!;
    if (ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node))
      functions.push([node.getStart(source), node.end]);
    if (!ts.isIdentifier(node)) {
      ts.forEachChild(node, child => void pending.push(child));
      continue;
    }
    if (!isVariable(ts, node)) continue;
    const symbol = variableAt(ts, checker, node);
    if (symbol && !found.has(symbol)) found.set(symbol, localOf(ts, symbol, source, isModule));
    const local = symbol && found.get(symbol);
    const start = node.getStart(source);
    if (local) local.mentions.push({ start, end: node.end, spelling: spellingOf(ts, node) });
    else fixed.set(node.text, [...(fixed.get(node.text) ?? []), start]);
  }
  const locals = [...found.values()].filter(local => local !== undefined);
  for (const { mentions } of locals) mentions.sort((a, b) => a.start - b.start);
  return { locals: locals.sort((a, b) => a.mentions[0]!.start - b.mentions[0]!.start), fixed, functions };
}

/** Whether an identifier is a variable, and not the name of a member or a label. */
function isVariable(ts: typeof TypeScript, node: TypeScript.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isBindingElement(parent) || ts.isImportSpecifier(parent)) return parent.propertyName !== node;
  if (ts.isExportSpecifier(parent)) return (parent.propertyName ?? parent.name) === node;
  if (ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent)) return false;
  if (ts.isMethodDeclaration(parent) || ts.isAccessor(parent) || ts.isPropertyDeclaration(parent))
    return parent.name !== node;
  return !ts.isMetaProperty(parent);
}

function variableAt(ts: typeof TypeScript, checker: TypeScript.TypeChecker, node: TypeScript.Identifier) {
  const { parent } = node;
  return ts.isExportSpecifier(parent)
    ? checker.getExportSpecifierLocalTargetSymbol(parent)
    : symbolAt(ts, checker, node);
}

/** Undefined for what is declared nowhere, or can be seen from other files. */
function localOf(
  ts: typeof TypeScript,
  symbol: TypeScript.Symbol,
  source: TypeScript.SourceFile,
  isModule: boolean,
): Growing | undefined {
  const scopes = (symbol.declarations ?? []).map(declaration => scopeOf(ts, declaration));
  const [scope] = scopes;
  // The compiler takes `a.b = 1` for a declaration too: only what declares a variable counts.
  if (!scope || scopes.some(each => each === undefined)) return undefined;
  if (scope === source && !isModule) return undefined;
  return { name: symbol.name, scope: rangeOf(ts, scope), mentions: [] };
}

/** The node that a variable is visible in; undefined for any other declaration, and for what is exported as it is declared. */
function scopeOf(ts: typeof TypeScript, declaration: TypeScript.Declaration): TypeScript.Node | undefined {
  if (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export) return undefined;
  if (ts.isFunctionExpression(declaration) || ts.isClassExpression(declaration)) return declaration;
  if (ts.isImportClause(declaration) || ts.isImportSpecifier(declaration) || ts.isNamespaceImport(declaration))
    return declaration.getSourceFile();
  if (ts.isFunctionDeclaration(declaration) || ts.isClassDeclaration(declaration))
    return around(declaration.parent, node => isFunctionScope(ts, node) || isBlockScope(ts, node));
  if (!ts.isVariableDeclaration(declaration) && !ts.isParameter(declaration) && !ts.isBindingElement(declaration))
    return undefined;
  if (ts.isVariableDeclaration(declaration) && ts.isCatchClause(declaration.parent)) return declaration.parent;
  const isBlockScoped = (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.BlockScoped) !== 0;
  return around(declaration.parent, node => isFunctionScope(ts, node) || (isBlockScoped && isBlockScope(ts, node)));
}

/** What a function declares is not visible at its own name, which belongs to what is around it. */
const rangeOf = (ts: typeof TypeScript, scope: TypeScript.Node): Range => [
  ts.isFunctionLike(scope) && !ts.isFunctionExpression(scope) ? scope.parameters.pos : scope.pos,
  scope.end,
];

function around(node: TypeScript.Node, isScope: (node: TypeScript.Node) => boolean): TypeScript.Node {
  let at = node;
  while (!isScope(at)) at = at.parent;
  return at;
}

const isFunctionScope = (ts: typeof TypeScript, node: TypeScript.Node): boolean =>
  ts.isFunctionLike(node) || ts.isSourceFile(node) || ts.isClassStaticBlockDeclaration(node);

const isBlockScope = (ts: typeof TypeScript, node: TypeScript.Node): boolean =>
  (ts.isBlock(node) && !ts.isFunctionLike(node.parent)) ||
  ts.isForStatement(node) ||
  ts.isForInStatement(node) ||
  ts.isForOfStatement(node) ||
  ts.isCaseBlock(node) ||
  ts.isCatchClause(node);

function spellingOf(ts: typeof TypeScript, node: TypeScript.Identifier): Spelling {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent) && parent.name === node) return 'member';
  if (ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent))
    return parent.name === node && !parent.propertyName && !parent.dotDotDotToken ? 'member' : 'plain';
  if (ts.isImportSpecifier(parent)) return parent.propertyName ? 'plain' : 'imported';
  if (ts.isExportSpecifier(parent)) return parent.propertyName ? 'plain' : 'exported';
  return 'plain';
}

/** A mention under another name. */
export function respell({ spelling }: Mention, from: string, to: string): string {
  if (from === to) return to;
  switch (spelling) {
    case 'plain':
      return to;
    case 'member':
      return `${from}:${to}`;
    case 'imported':
      return `${from} as ${to}`;
    case 'exported':
      return `${to} as ${from}`;
    default:
      throw spelling satisfies never;
  }
}
