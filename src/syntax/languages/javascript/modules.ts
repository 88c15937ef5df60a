/** Modules of JavaScript and TypeScript: `import` and `export`, `require` and `module.exports`, paths to files. */
import { dirname, join, normalize, relative } from 'node:path/posix';
import { addAll } from '../../../core/lists.js';
import type { Span } from '../../edit.js';
import { childAt, childrenOf, type FlatTree, isLeaf, isNamed, kindOf, textOf } from '../../flat-tree.js';
import {
  type GoneImport,
  type Has,
  type Import,
  isBeside,
  type Module,
  type ModuleSystem,
  unquoted,
} from '../modules.js';
import { exportedBy, exportedMembers, replaceRequire } from './commonjs.js';
import { exportedVariables } from './exported-variables.js';

export const javascriptModules: ModuleSystem = {
  read,
  resolve,
  exportsImports: false,
  loading,
  stub,
  paths: {
    nodesIn(tree) {
      const found: number[] = [];
      for (let node = 1; node < tree.count; node++) if (kindOf(tree, node) === 'string') found.push(node);
      return found;
    },
    spellLike,
  },
  exports: {
    isHandedOn: (tree, statement) =>
      kindOf(tree, statement) === 'export_statement' && childAt(tree, statement, 'source') !== undefined,
    strip: stripExports,
    asObject: (name, names) => `const ${name} = { ${names.join(', ')} };`,
    members: exportedMembers,
    variables: exportedVariables,
    wholeValue: tree => exportedBy(tree)?.whole?.value,
    replaceRequire,
  },
};

function read(tree: FlatTree): Module {
  const imports: Import[] = [];
  const exports = new Set<string>();
  let open = false;
  for (let node = 1; node < tree.count; node++) {
    if (!isNamed(tree, node) || isLeaf(tree, node)) continue;
    const kind = kindOf(tree, node);
    if (kind === 'import_statement') addAll(imports, importsIn(tree, node));
    else if (kind === 'export_statement') {
      const given = exportsIn(tree, node);
      addAll(imports, given.imports);
      for (const name of given.names) exports.add(name);
      open ||= given.open;
    } else if (kind === 'call_expression') addAll(imports, required(tree, node));
    else if (kind === 'assignment_expression') {
      const given = assigned(tree, node);
      for (const name of given ?? []) exports.add(name);
      // `module.exports = …` is also what a default import gets.
      if (given !== undefined) exports.add('default');
      open ||= given?.includes('*') === true;
    }
  }
  return { imports: [...imports, ...members(tree, imports)], exports, open };
}

function importsIn(tree: FlatTree, statement: number): Import[] {
  const source = childAt(tree, statement, 'source');
  if (source === undefined) return [];
  const from = unquoted(tree, source);
  const found: Import[] = [{ from, name: '', statement }];
  for (let node = statement + 1; node < tree.past[statement]!; node++) {
    const kind = kindOf(tree, node);
    const above = kindOf(tree, tree.parent[node]!);
    if (kind === 'import_specifier') {
      const name = textOf(tree, childAt(tree, node, 'name') ?? node);
      found.push({
        from,
        name,
        local: textOf(tree, childAt(tree, node, 'alias') ?? childAt(tree, node, 'name') ?? node),
        statement,
      });
    } else if (kind === 'identifier' && above === 'import_clause')
      found.push({ from, name: 'default', local: textOf(tree, node), statement });
    else if (kind === 'identifier' && above === 'namespace_import')
      found.push({ from, name: '*', local: textOf(tree, node), statement });
  }
  return found;
}

interface Given {
  readonly imports: readonly Import[];
  readonly names: readonly string[];
  readonly open: boolean;
}

function exportsIn(tree: FlatTree, statement: number): Given {
  const source = childAt(tree, statement, 'source');
  const from = source === undefined ? undefined : unquoted(tree, source);
  const tokens = childrenOf(tree, statement).map(child => textOf(tree, child));
  const names: string[] = [];
  const imports: Import[] = from === undefined ? [] : [{ from, name: '', statement }];
  const declaration = childAt(tree, statement, 'declaration');
  if (tokens.includes('default')) return { imports, names: ['default'], open: false };
  if (from !== undefined && tokens.includes('*')) imports.push({ from, name: '*', statement, again: '*' });
  for (let node = statement + 1; node < tree.past[statement]!; node++) {
    const kind = kindOf(tree, node);
    if (kind === 'export_specifier') {
      const name = textOf(tree, childAt(tree, node, 'name') ?? node);
      const again = textOf(tree, childAt(tree, node, 'alias') ?? childAt(tree, node, 'name') ?? node);
      names.push(again);
      if (from !== undefined) imports.push({ from, name, statement, again });
    } else if (kind === 'namespace_export') names.push(textOf(tree, tree.past[node]! - 1));
  }
  if (declaration !== undefined) addAll(names, declaredIn(tree, declaration));
  return { imports, names, open: tokens.includes('=') || (declaration !== undefined && names.length === 0) };
}

/** The names that a declaration introduces: `a`, `b` and `c` of `const a = 1, { b, d: c } = e`. */
function declaredIn(tree: FlatTree, declaration: number): string[] {
  const own = childAt(tree, declaration, 'name');
  if (own !== undefined) return [textOf(tree, own)];
  // `declare function f()` has its declaration inside.
  if (kindOf(tree, declaration) === 'ambient_declaration')
    return childrenOf(tree, declaration).flatMap(child => declaredIn(tree, child));
  return childrenOf(tree, declaration).flatMap(declarator => {
    const pattern = kindOf(tree, declarator) === 'variable_declarator' ? childAt(tree, declarator, 'name') : undefined;
    return pattern === undefined ? [] : boundBy(tree, pattern);
  });
}

function boundBy(tree: FlatTree, pattern: number): string[] {
  const found: string[] = [];
  for (let node = pattern; node < tree.past[pattern]!; node++)
    if (/^(identifier|shorthand_property_identifier_pattern)$/.test(kindOf(tree, node))) found.push(textOf(tree, node));
  return found;
}

/** `require('./x')` and `import('./x')`, with what is destructured from it. */
function required(tree: FlatTree, call: number): Import[] {
  const callee = childAt(tree, call, 'function');
  const list = childAt(tree, call, 'arguments');
  if (callee === undefined || list === undefined || !/^(require|import)$/.test(textOf(tree, callee))) return [];
  const argument = childrenOf(tree, list).find(child => kindOf(tree, child) === 'string');
  if (argument === undefined) return [];
  const from = unquoted(tree, argument);
  const above = tree.parent[call]!;
  const isRequire = textOf(tree, callee) === 'require';
  const pattern = kindOf(tree, above) === 'variable_declarator' ? childAt(tree, above, 'name') : undefined;
  const statement = pattern === undefined ? call : tree.parent[above]!;
  const found: Import[] = [{ from, name: '', statement, ...(isRequire ? { call } : {}) }];
  if (kindOf(tree, above) === 'member_expression' && isRequire)
    found.push({ from, name: textOf(tree, tree.past[above]! - 1), statement });
  if (pattern === undefined) return found;
  if (kindOf(tree, pattern) === 'identifier') found.push({ from, name: '*', local: textOf(tree, pattern), statement });
  for (const part of kindOf(tree, pattern) === 'object_pattern' ? childrenOf(tree, pattern) : []) {
    if (kindOf(tree, part) === 'shorthand_property_identifier_pattern')
      found.push({ from, name: textOf(tree, part), local: textOf(tree, part), statement });
    const key = childAt(tree, part, 'key');
    const value = childAt(tree, part, 'value');
    if (key !== undefined && value !== undefined)
      found.push({ from, name: textOf(tree, key), local: textOf(tree, value), statement });
  }
  return found;
}

/** What `exports.a = …` and `module.exports = { … }` export; `*` if that can't be seen; undefined for other assignments. */
function assigned(tree: FlatTree, assignment: number): readonly string[] | undefined {
  const left = childAt(tree, assignment, 'left');
  const right = childAt(tree, assignment, 'right');
  if (left === undefined || right === undefined) return undefined;
  const [, whole, name] =
    /^(?:(module\.exports|exports)|(?:module\.)?exports\.([\w$]+))$/.exec(textOf(tree, left)) ?? [];
  if (name !== undefined) return [name];
  if (whole === undefined) return /\bexports\b/.test(textOf(tree, left)) ? ['*'] : undefined;
  if (kindOf(tree, right) !== 'object') return ['*'];
  return childrenOf(tree, right)
    .filter(child => isNamed(tree, child))
    .map(child => {
      const key = childAt(tree, child, 'key') ?? childAt(tree, child, 'name');
      if (key !== undefined) return textOf(tree, key);
      return kindOf(tree, child) === 'shorthand_property_identifier' ? textOf(tree, child) : '*';
    });
}

/** `x.name` for every `x` that means another file as a whole. */
function members(tree: FlatTree, imports: readonly Import[]): Import[] {
  const spaces = new Map(imports.flatMap(one => (one.name === '*' && one.local ? [[one.local, one] as const] : [])));
  const found: Import[] = [];
  for (let node = 1; node < tree.count && spaces.size > 0; node++) {
    if (kindOf(tree, node) !== 'member_expression') continue;
    const space = spaces.get(textOf(tree, node + 1));
    const property = childAt(tree, node, 'property');
    if (space !== undefined && property !== undefined && isLeaf(tree, node + 1))
      found.push({ from: space.from, name: textOf(tree, property), statement: space.statement });
  }
  return found;
}

const endings = ['.ts', '.tsx', '.js', '.jsx', '.mjs', '.cjs', '.mts', '.cts', '.d.ts', '.json'];
/** Importers name the file that a compiler makes of a TypeScript file. */
const compiled: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};

function resolve(path: string, name: string, has: Has): string | undefined {
  if (!isBeside(name)) return undefined;
  const plain = normalize(join(dirname(path), name)).replace(/\/$/, '');
  const ending = /\.\w+$/.exec(plain)?.[0] ?? '';
  const stem = plain.slice(0, plain.length - ending.length);
  return [
    plain,
    ...(compiled[ending] ?? []).map(other => stem + other),
    ...endings.map(other => plain + other),
    ...endings.map(other => join(plain, `index${other}`)),
  ].find(has);
}

/** With the extension that the other name had: none, or that of the compiled file. */
function spellLike(named: string, path: string): string {
  const ending = /\.[cm]?[jt]sx?$/.exec(named)?.[0];
  return ending === undefined
    ? path.replace(/(\/index)?(\.d)?\.[cm]?[jt]sx?$/, '')
    : /ts/.test(ending)
      ? path
      : path.replace(/\.([cm]?)tsx?$/, '.$1js');
}

/**
 * `export *` for each file: whatever imports this one still has the names, and a bundler does not drop them as unused. A call
 * of `require` stays a value.
 */
function loading(tree: FlatTree, { statement, from, path, target: _ }: GoneImport, files: readonly string[]): string {
  const named = files.map(file => {
    const plain = relative(dirname(path), file);
    return JSON.stringify(spellLike(from, plain.startsWith('.') ? plain : `./${plain}`));
  });
  const kind = kindOf(tree, statement);
  if (/^(import|export)_statement$/.test(kind)) return named.map(name => `export * from ${name};`).join('\n');
  const calls = named.map(name => `require(${name})`);
  if (kind !== 'call_expression') return calls.map(call => `${call};`).join(' ');
  const isPromise = textOf(tree, childAt(tree, statement, 'function')!) === 'import';
  return isPromise ? 'Promise.resolve({})' : `(${[...calls, '{}'].join(', ')})`;
}

/** Exports as plain declarations. */
function stripExports(tree: FlatTree, module: Module, local: string | undefined): Span[] | undefined {
  const spans: Span[] = [];
  for (const statement of childrenOf(tree, 0)) {
    const start = tree.start[statement]!;
    const end = tree.end[statement]!;
    if (kindOf(tree, statement) !== 'export_statement') continue;
    const declaration = childAt(tree, statement, 'declaration');
    const expression = childAt(tree, statement, 'value');
    const isDefault = childrenOf(tree, statement).some(child => textOf(tree, child) === 'default');
    if (isDefault) {
      const value = declaration ?? expression;
      const named = declaration === undefined ? undefined : childAt(tree, declaration, 'name');
      if (value === undefined) return undefined;
      const name = named === undefined ? undefined : textOf(tree, named);
      if (local === undefined && name === undefined) spans.push({ start, end, text: '' });
      else spans.push({ start, end: tree.start[value]!, text: name === undefined ? `const ${local} = ` : '' });
      if (local !== undefined && name !== undefined && name !== local)
        spans.push({ start: end, end, text: `\nconst ${local} = ${name};` });
    } else if (declaration !== undefined) spans.push({ start, end: tree.start[declaration]!, text: '' });
    else if (/\bas\b|\bfrom\b|=/.test(textOf(tree, statement))) return undefined;
    else spans.push({ start, end, text: '' });
  }
  // Objects that are built by assignments are not analysed here.
  const isAssigned = spans.length === 0 && [...module.exports].some(name => name !== 'default');
  return isAssigned ? undefined : spans;
}

/** A value that is its own property, and the result of its own calls. Classes derived from it have instances. */
const anything = `const s=new Proxy(function(){},{get:(t,n)=>n===Symbol.toPrimitive?()=>"":n===Symbol.iterator?function*(){}:n==="then"?void 0:n==="prototype"?t[n]:s,apply:()=>s,construct:(t,a,n)=>n===s?s:Reflect.construct(t,a,n)});`;

/** The names come first: files that are loaded may import them from here. */
function stub(tree: FlatTree, names: readonly string[], loads: readonly string[]): string {
  const isModule = childrenOf(tree, 0).some(child => /^(import|export)_statement$/.test(kindOf(tree, child)));
  const exported = isModule ? `export{${names.map(name => `s as ${name}`).join()}};` : 'module.exports=s;';
  return [names.length === 0 ? '' : anything + exported, ...loads].filter(text => text !== '').join('\n');
}
