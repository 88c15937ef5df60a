import { childrenOf, fieldOf, kindOf, type Outline } from './flat-tree.js';
import { names } from './names.js';

/** A thing with a name: the leaves that introduce it and the leaves that refer to it. */
export interface Binding {
  readonly name: string;
  readonly definitions: readonly number[];
  readonly uses: readonly number[];
}

const naming = new Set(['name', 'declarator', 'alias', 'pattern', 'parameter', 'parameters', 'key', 'label', 'left']);
const introducing =
  /parameter|import|declarat|definition|_item$|specifier|enumerator|^(label|package_clause|identifier_list|lambda|let_|field_|module_name)/;
const referring =
  /call|invocation|access|selector|argument|template_type|template_function|qualified|scoped|nested|generic|member|subscript|update|return|binary|unary|field_expression|base_class|pair$|jsx/;
const opaque = /block|body|compound_statement|function|method|lambda|arrow|closure|suite|clause$/;

/**
 * Names and scopes as the tree shows them, for languages without an analysis of their own. A leaf that is the `name` or
 * `declarator` of what it stands in introduces the name; where none does, the first leaf does (Vulcan's reading). A name
 * that is introduced inside a function or block is looked for only there.
 */
export function bindingsByName(outline: Outline): readonly Binding[] {
  const found: Binding[] = [];
  for (const { text, leaves } of names(outline)) {
    const definitions = leaves.filter(leaf => isIntroduced(outline, leaf));
    if (definitions.length === 0) {
      if (leaves.length > 1) found.push({ name: text, definitions: [leaves[0]!], uses: leaves.slice(1) });
      continue;
    }
    const taken = new Set<number>();
    // The innermost scopes first: they claim their leaves before the outer ones do.
    const scopes = new Map<number, number[]>();
    for (const leaf of definitions) {
      const scope = scopeOf(outline, leaf);
      scopes.set(scope, [...(scopes.get(scope) ?? []), leaf]);
    }
    for (const [scope, own] of [...scopes].sort((a, b) => b[0] - a[0])) {
      const inside = leaves.filter(
        leaf => leaf >= scope && leaf < outline.past[scope]! && !taken.has(leaf) && !definitions.includes(leaf),
      );
      for (const leaf of inside) taken.add(leaf);
      found.push({ name: text, definitions: own, uses: inside });
    }
  }
  return found;
}

/** Names that stand somewhere without a declaration around them, as far as the tree shows. */
export function freeByName(outline: Outline): ReadonlySet<string> {
  const settled = new Set<number>();
  for (const { definitions, uses } of bindingsByName(outline))
    if (isIntroduced(outline, definitions[0]!)) for (const leaf of [...definitions, ...uses]) settled.add(leaf);
  return new Set(
    names(outline)
      .filter(({ leaves }) => leaves.some(leaf => !settled.has(leaf)))
      .map(({ text }) => text),
  );
}

export function isIntroduced(outline: Outline, leaf: number): boolean {
  let node = leaf;
  for (let up = 0; up < 6; up++) {
    const above = outline.parent[node]!;
    if (above < 0) return false;
    const kind = kindOf(outline, above);
    const field = fieldOf(outline, node);
    if (referring.test(kind)) return false;
    if (
      introducing.test(kind) &&
      (naming.has(field) || (field === '' && /parameter|import|identifier_list|declarator|enumerator/.test(kind)))
    )
      return true;
    if (/^(start_tag|STag|attribute|Attribute)$/.test(kind) || !(naming.has(field) || field === '')) return false;
    if (opaque.test(kind)) return false;
    node = above;
  }
  return false;
}

/** The nearest function or block around the declaration; the root for what a file or class declares. */
export function scopeOf(outline: Outline, leaf: number): number {
  let node = outline.parent[leaf]!;
  let names = true;
  for (; node > 0; node = outline.parent[node]!) {
    const kind = kindOf(outline, node);
    // A function's own name belongs to the scope around it, its parameters to the function.
    const isFunction =
      /function|method|lambda|arrow|closure|constructor/.test(kind) && !/declarator|type|parameters$/.test(kind);
    if (isFunction && names && ownName(outline, node) !== leaf) return node;
    if (
      /^(compound_statement|statement_block|block|suite|do_block|body_statement|for_statement|for_in_statement|catch_clause)$/.test(
        kind,
      ) &&
      !/^(class|module)/.test(kindOf(outline, outline.parent[node]!))
    )
      return node;
    if (isFunction) names = false;
  }
  return 0;
}

/** The leaf that names a declaration: down the fields that lead to a name. */
export function ownName(outline: Outline, node: number): number {
  let at = node;
  for (let down = 0; down < 8; down++) {
    const children = childrenOf(outline, at);
    const next =
      children.find(child => fieldOf(outline, child) === 'name') ??
      children.find(child => fieldOf(outline, child) === 'declarator');
    if (next === undefined) return at === node ? -1 : at;
    at = next;
    if (outline.past[at] === at + 1) return at;
  }
  return -1;
}
