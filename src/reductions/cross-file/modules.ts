import { childAt, childrenOf, isLeaf, isNamed, kindOf, type Outline, textOf } from '../../syntax/flat-tree.js';
import { isScript, type Language } from '../../syntax/languages/index.js';
import { pythonModule } from './python.js';

/** One thing that a file takes from another. */
export interface Import {
  /** As it is written: `./list.js`, `.models`. */
  readonly from: string;
  /** What the other file calls it; `*` for all of it, nothing where only the file itself is meant. */
  readonly name: string;
  /** What it is called here; none where it is only handed on. */
  readonly local?: string;
  /** The statement that it stands in, or the declaration with `require`. */
  readonly statement: number;
  /** The call of `require`. */
  readonly call?: number;
  /** It is exported again under this name; `*` for all of it. */
  readonly again?: string;
}

/** What a file takes and gives, as its tree shows it. */
export interface Module {
  readonly imports: readonly Import[];
  readonly exports: ReadonlySet<string>;
  /** It may export more than can be seen. */
  readonly open: boolean;
}

/** The module that a text is; undefined for languages in which files are no modules. */
export function moduleOf(language: Language, outline: Outline): Module | undefined {
  if (isScript(language)) return scriptModule(outline);
  return language.name === 'python' ? pythonModule(outline) : undefined;
}

export const unquoted = (outline: Outline, node: number): string => textOf(outline, node).slice(1, -1);

function scriptModule(outline: Outline): Module {
  const imports: Import[] = [];
  const exports = new Set<string>();
  let open = false;
  for (let node = 1; node < outline.count; node++) {
    if (!isNamed(outline, node) || isLeaf(outline, node)) continue;
    const kind = kindOf(outline, node);
    if (kind === 'import_statement') imports.push(...importsIn(outline, node));
    else if (kind === 'export_statement') {
      const given = exportsIn(outline, node);
      imports.push(...given.imports);
      for (const name of given.names) exports.add(name);
      open ||= given.open;
    } else if (kind === 'call_expression') imports.push(...required(outline, node));
    else if (kind === 'assignment_expression') {
      const given = assigned(outline, node);
      for (const name of given ?? []) exports.add(name);
      // `module.exports = …` is also what a default import gets.
      if (given !== undefined) exports.add('default');
      open ||= given?.includes('*') === true;
    }
  }
  return { imports: [...imports, ...members(outline, imports)], exports, open };
}

function importsIn(outline: Outline, statement: number): Import[] {
  const source = childAt(outline, statement, 'source');
  if (source === undefined) return [];
  const from = unquoted(outline, source);
  const found: Import[] = [{ from, name: '', statement }];
  for (let node = statement + 1; node < outline.past[statement]!; node++) {
    const kind = kindOf(outline, node);
    const above = kindOf(outline, outline.parent[node]!);
    if (kind === 'import_specifier') {
      const name = textOf(outline, childAt(outline, node, 'name') ?? node);
      found.push({
        from,
        name,
        local: textOf(outline, childAt(outline, node, 'alias') ?? childAt(outline, node, 'name') ?? node),
        statement,
      });
    } else if (kind === 'identifier' && above === 'import_clause')
      found.push({ from, name: 'default', local: textOf(outline, node), statement });
    else if (kind === 'identifier' && above === 'namespace_import')
      found.push({ from, name: '*', local: textOf(outline, node), statement });
  }
  return found;
}

interface Given {
  readonly imports: readonly Import[];
  readonly names: readonly string[];
  readonly open: boolean;
}

function exportsIn(outline: Outline, statement: number): Given {
  const source = childAt(outline, statement, 'source');
  const from = source === undefined ? undefined : unquoted(outline, source);
  const tokens = childrenOf(outline, statement).map(child => textOf(outline, child));
  const names: string[] = [];
  const imports: Import[] = from === undefined ? [] : [{ from, name: '', statement }];
  const declaration = childAt(outline, statement, 'declaration');
  if (tokens.includes('default')) return { imports, names: ['default'], open: false };
  if (from !== undefined && tokens.includes('*')) imports.push({ from, name: '*', statement, again: '*' });
  for (let node = statement + 1; node < outline.past[statement]!; node++) {
    const kind = kindOf(outline, node);
    if (kind === 'export_specifier') {
      const name = textOf(outline, childAt(outline, node, 'name') ?? node);
      const again = textOf(outline, childAt(outline, node, 'alias') ?? childAt(outline, node, 'name') ?? node);
      names.push(again);
      if (from !== undefined) imports.push({ from, name, statement, again });
    } else if (kind === 'namespace_export') names.push(textOf(outline, outline.past[node]! - 1));
  }
  if (declaration !== undefined) names.push(...declaredIn(outline, declaration));
  return { imports, names, open: tokens.includes('=') || (declaration !== undefined && names.length === 0) };
}

/** The names that a declaration introduces: `a`, `b` and `c` of `const a = 1, { b, d: c } = e`. */
function declaredIn(outline: Outline, declaration: number): string[] {
  const own = childAt(outline, declaration, 'name');
  if (own !== undefined) return [textOf(outline, own)];
  // `declare function f()` has its declaration inside.
  if (kindOf(outline, declaration) === 'ambient_declaration')
    return childrenOf(outline, declaration).flatMap(child => declaredIn(outline, child));
  return childrenOf(outline, declaration).flatMap(declarator => {
    const pattern =
      kindOf(outline, declarator) === 'variable_declarator' ? childAt(outline, declarator, 'name') : undefined;
    return pattern === undefined ? [] : boundBy(outline, pattern);
  });
}

function boundBy(outline: Outline, pattern: number): string[] {
  const found: string[] = [];
  for (let node = pattern; node < outline.past[pattern]!; node++)
    if (/^(identifier|shorthand_property_identifier_pattern)$/.test(kindOf(outline, node)))
      found.push(textOf(outline, node));
  return found;
}

/** `require('./x')` and `import('./x')`, with what is taken out of it at once. */
function required(outline: Outline, call: number): Import[] {
  const callee = childAt(outline, call, 'function');
  const list = childAt(outline, call, 'arguments');
  if (callee === undefined || list === undefined || !/^(require|import)$/.test(textOf(outline, callee))) return [];
  const argument = childrenOf(outline, list).find(child => kindOf(outline, child) === 'string');
  if (argument === undefined) return [];
  const from = unquoted(outline, argument);
  const above = outline.parent[call]!;
  const isRequire = textOf(outline, callee) === 'require';
  const pattern = kindOf(outline, above) === 'variable_declarator' ? childAt(outline, above, 'name') : undefined;
  const statement = pattern === undefined ? call : outline.parent[above]!;
  const found: Import[] = [{ from, name: '', statement, ...(isRequire ? { call } : {}) }];
  if (kindOf(outline, above) === 'member_expression' && isRequire)
    found.push({ from, name: textOf(outline, outline.past[above]! - 1), statement });
  if (pattern === undefined) return found;
  if (kindOf(outline, pattern) === 'identifier')
    found.push({ from, name: '*', local: textOf(outline, pattern), statement });
  for (const part of kindOf(outline, pattern) === 'object_pattern' ? childrenOf(outline, pattern) : []) {
    if (kindOf(outline, part) === 'shorthand_property_identifier_pattern')
      found.push({ from, name: textOf(outline, part), local: textOf(outline, part), statement });
    const key = childAt(outline, part, 'key');
    const value = childAt(outline, part, 'value');
    if (key !== undefined && value !== undefined)
      found.push({ from, name: textOf(outline, key), local: textOf(outline, value), statement });
  }
  return found;
}

/** What `exports.a = …` and `module.exports = { … }` export; `*` where that can't be seen; undefined for other assignments. */
function assigned(outline: Outline, assignment: number): readonly string[] | undefined {
  const left = childAt(outline, assignment, 'left');
  const right = childAt(outline, assignment, 'right');
  if (left === undefined || right === undefined) return undefined;
  const [, whole, name] =
    /^(?:(module\.exports|exports)|(?:module\.)?exports\.([\w$]+))$/.exec(textOf(outline, left)) ?? [];
  if (name !== undefined) return [name];
  if (whole === undefined) return /\bexports\b/.test(textOf(outline, left)) ? ['*'] : undefined;
  if (kindOf(outline, right) !== 'object') return ['*'];
  return childrenOf(outline, right)
    .filter(child => isNamed(outline, child))
    .map(child => {
      const key = childAt(outline, child, 'key') ?? childAt(outline, child, 'name');
      if (key !== undefined) return textOf(outline, key);
      return kindOf(outline, child) === 'shorthand_property_identifier' ? textOf(outline, child) : '*';
    });
}

/** `x.name` for every `x` that stands for another file as a whole. */
function members(outline: Outline, imports: readonly Import[]): Import[] {
  const spaces = new Map(imports.flatMap(one => (one.name === '*' && one.local ? [[one.local, one] as const] : [])));
  const found: Import[] = [];
  for (let node = 1; node < outline.count && spaces.size > 0; node++) {
    if (kindOf(outline, node) !== 'member_expression') continue;
    const space = spaces.get(textOf(outline, node + 1));
    const property = childAt(outline, node, 'property');
    if (space !== undefined && property !== undefined && isLeaf(outline, node + 1))
      found.push({ from: space.from, name: textOf(outline, property), statement: space.statement });
  }
  return found;
}
