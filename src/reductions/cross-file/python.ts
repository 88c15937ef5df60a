import { isIntroduced } from '../../syntax/bindings.js';
import { childAt, childrenOf, fieldOf, isLeaf, kindOf, type Outline, textOf } from '../../syntax/flat-tree.js';
import type { Import, Module } from './modules.js';

/** What a Python file imports by name, and what its top level binds: all of that others may import. */
export function pythonModule(outline: Outline): Module {
  const imports: Import[] = [];
  for (let node = 1; node < outline.count; node++)
    if (kindOf(outline, node) === 'import_from_statement') imports.push(...importsIn(outline, node));
  const exports = new Set(bound(outline));
  return { imports, exports, open: exports.has('__getattr__') };
}

function importsIn(outline: Outline, statement: number): Import[] {
  const module = childAt(outline, statement, 'module_name');
  if (module === undefined) return [];
  const from = textOf(outline, module);
  const found: Import[] = [{ from, name: '', statement }];
  for (const child of childrenOf(outline, statement)) {
    if (kindOf(outline, child) === 'wildcard_import') found.push({ from, name: '*', statement, again: '*' });
    if (fieldOf(outline, child) !== 'name') continue;
    const name = textOf(outline, childAt(outline, child, 'name') ?? child);
    found.push({ from, name, local: textOf(outline, childAt(outline, child, 'alias') ?? child), statement });
  }
  return found;
}

/** Names that are bound outside functions and classes, under whatever condition. */
function bound(outline: Outline): string[] {
  const found: string[] = [];
  for (let node = 1; node < outline.count; node++) {
    const kind = kindOf(outline, node);
    if (/^(function_definition|class_definition|lambda)$/.test(kind)) {
      const name = childAt(outline, node, 'name');
      if (name !== undefined) found.push(textOf(outline, name));
      node = outline.past[node]! - 1;
    } else if (
      kind === 'identifier' &&
      isLeaf(outline, node) &&
      (isBound(outline, node) || isIntroduced(outline, node))
    )
      found.push(textOf(outline, node));
  }
  return found;
}

/** On the left of an assignment or a loop, or behind `as`. */
function isBound(outline: Outline, leaf: number): boolean {
  for (let node = leaf, up = 0; up < 4 && node > 0; node = outline.parent[node]!, up++) {
    const field = fieldOf(outline, node);
    if (field === 'left' || field === 'alias' || kindOf(outline, node) === 'as_pattern_target') return true;
    if (field === 'right' || field === 'value' || field === 'body') return false;
  }
  return false;
}
