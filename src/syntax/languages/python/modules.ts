/** Modules of Python: `from … import`, and what the top of a file binds. */
import { dirname, join, normalize, relative } from 'node:path/posix';
import { addAll } from '../../../core/lists.js';
import { childAt, childrenOf, type FlatTree, fieldOf, isLeaf, kindOf, textOf } from '../../flat-tree.js';
import { isIntroduced } from '../../introduced.js';
import type { GoneImport, Has, Import, Module, ModuleSystem } from '../modules.js';

export const pythonModules: ModuleSystem = {
  read,
  resolve,
  submodule: name => `.${name}`,
  exportsImports: true,
  loading,
  stub,
};

/** What a Python file imports by name, and what its top level binds: others may import all of it. */
function read(tree: FlatTree): Module {
  const imports: Import[] = [];
  for (let node = 1; node < tree.count; node++) {
    const kind = kindOf(tree, node);
    if (!/^import(_from)?_statement$/.test(kind)) continue;
    const found = kind === 'import_statement' ? wholeModule(tree, node) : importsIn(tree, node);
    addAll(imports, isForTypes(tree, node) ? found.map(one => ({ ...one, isLate: true })) : found);
  }
  const exports = new Set(bound(tree));
  return { imports, exports, open: exports.has('__getattr__') };
}

function importsIn(tree: FlatTree, statement: number): Import[] {
  const module = childAt(tree, statement, 'module_name');
  if (module === undefined) return [];
  const from = textOf(tree, module);
  const found: Import[] = [{ from, name: '', statement }];
  for (const child of childrenOf(tree, statement)) {
    if (kindOf(tree, child) === 'wildcard_import') found.push({ from, name: '*', statement, again: '*' });
    if (fieldOf(tree, child) !== 'name') continue;
    const name = textOf(tree, childAt(tree, child, 'name') ?? child);
    const local = textOf(tree, childAt(tree, child, 'alias') ?? child);
    found.push({ from, name, local, statement });
    // It may be a file of the package.
    found.push({ from: from.endsWith('.') ? from + name : `${from}.${name}`, name: '*', local, statement });
  }
  return found;
}

/** `import a.b`. A statement that imports several files cannot be replaced for one of them. */
function wholeModule(tree: FlatTree, statement: number): Import[] {
  const [only, ...others] = childrenOf(tree, statement).filter(child => fieldOf(tree, child) === 'name');
  if (only === undefined || others.length > 0) return [];
  const from = textOf(tree, childAt(tree, only, 'name') ?? only);
  return [{ from, name: '*', local: textOf(tree, childAt(tree, only, 'alias') ?? only), statement }];
}

/** Under `if TYPE_CHECKING:`. */
function isForTypes(tree: FlatTree, statement: number): boolean {
  const branch = tree.parent[tree.parent[statement]!]!;
  const condition = branch < 0 ? undefined : childAt(tree, branch, 'condition');
  return condition !== undefined && /\bTYPE_CHECKING$/.test(textOf(tree, condition));
}

/** Names that are bound outside functions and classes, under whatever condition. */
function bound(tree: FlatTree): string[] {
  const found: string[] = [];
  for (let node = 1; node < tree.count; node++) {
    const kind = kindOf(tree, node);
    if (/^(function_definition|class_definition|lambda)$/.test(kind)) {
      const name = childAt(tree, node, 'name');
      if (name !== undefined) found.push(textOf(tree, name));
      node = tree.past[node]! - 1;
    } else if (kind === 'identifier' && isLeaf(tree, node) && (isBound(tree, node) || isIntroduced(tree, node)))
      found.push(textOf(tree, node));
  }
  return found;
}

/** On the left of an assignment or a loop, or behind `as`. */
function isBound(tree: FlatTree, leaf: number): boolean {
  for (let node = leaf, up = 0; up < 4 && node > 0; node = tree.parent[node]!, up++) {
    const field = fieldOf(tree, node);
    if (field === 'left' || field === 'alias' || kindOf(tree, node) === 'as_pattern_target') return true;
    if (field === 'right' || field === 'value' || field === 'body') return false;
  }
  return false;
}

function resolve(path: string, name: string, has: Has): string | undefined {
  const dots = /^\.*/.exec(name)![0].length;
  const rest = name.slice(dots).replaceAll('.', '/');
  const file = (folder: string): string | undefined => {
    const plain = normalize(join(folder, rest));
    return [`${plain}.py`, `${plain}/__init__.py`].find(has);
  };
  let folder = dirname(path);
  for (let up = 1; up < dots; up++) folder = dirname(folder);
  if (dots > 0) return file(folder);
  // The root of the packages is unknown: the nearest parent folder in which the name leads to a file. It is not a package:
  // `import abc` in a package is not the file of that name beside it.
  for (; ; folder = dirname(folder)) {
    const found = has(`${folder}/__init__.py`) ? undefined : file(folder);
    if (found !== undefined || folder === '.' || folder === '/') return found;
  }
}

/** `from … import *` for each file, relative or from the root of the packages like the import that is gone. */
function loading(_: FlatTree, { from, path, target }: GoneImport, files: readonly string[]): string {
  const isRelative = from.startsWith('.');
  const own = from.split('.').length + (target.endsWith('/__init__.py') ? 1 : 0);
  const root = isRelative ? dirname(path) : target.split('/').slice(0, -own).join('/');
  return files
    .map(file => {
      const steps = relative(root, file)
        .replace(/(^|\/)__init__\.py$|\.py$/, '')
        .split('/');
      const ups = steps.filter(step => step === '..').length;
      const dots = isRelative ? '.'.repeat(ups + 1) : '';
      return `from ${dots}${steps.slice(ups).join('.')} import *`;
    })
    .join('\n');
}

/**
 * A class that is its own item, its own attribute and the result of its own calls, so that it can be a base, a decorator, a
 * type and a function. Classes derived from it have instances.
 */
const anything = `import abc
class M(abc.ABCMeta):
 def __getattr__(s,n):
  if n[:2]=="__":raise AttributeError(n)
  return s
 __getitem__=__or__=__ror__=__add__=__radd__=__sub__=__mul__=__rmul__=__mod__=lambda s,*a:s
 __iter__=lambda s:iter(())
 __call__=lambda s,*a,**k:s if s is S else type.__call__(s,*a,**k)
class S(metaclass=M):
 __init__=lambda s,*a,**k:None
 __getattr__=M.__getattr__
`;

/** The names come first: files that are loaded may import them from here. */
function stub(_: FlatTree, names: readonly string[], loads: readonly string[]): string {
  return [names.length === 0 ? '' : `${anything}${names.join('=')}=S`, ...loads].filter(text => text !== '').join('\n');
}
