import type { Binding } from './bindings.js';
import type { Span } from './edit.js';
import { childrenOf, fieldOf, kindOf, type Outline, tongueOf } from './flat-tree.js';
import { mayStand } from './parse-table.js';
import { type Removal, removals } from './removals.js';
import { cut, put } from './text-cut.js';

/** How a reference is mended when what it refers to goes: it goes too, or it gets a default value. */
export type RemovalTable = ReadonlyMap<number, Removal>;
export const removalTable = (outline: Outline): RemovalTable => new Map(removals(outline).map(one => [one.node, one]));

/** Kinds that stand in a list of their own: statements, declarations, members, attributes. */
const listed =
  /statement|declaration|definition|_item$|^(item|pair|attribute|Attribute|element|rule_set|import|method|function|class|list_item|block_mapping_pair)/;
export const isListed = (outline: Outline, node: number): boolean => {
  const kind = kindOf(outline, node);
  return listed.test(kind) && !/block|body|list$|compound/.test(kind);
};

/** What has to go so that the leaf is gone: the smallest removable node around it, or the statement it stands in. */
export function removalAround(
  outline: Outline,
  table: RemovalTable,
  leaf: number,
  statement: boolean,
): Span | undefined {
  for (let node = called(outline, leaf), up = 0; node > 0 && up < 40; node = outline.parent[node]!, up++) {
    const removal = table.get(node);
    if (removal === undefined || (statement && !isListed(outline, node))) continue;
    return cut(outline.text, removal.start, removal.end);
  }
  return undefined;
}

const leading = new Set(['name', 'declarator', 'pattern', 'alias', 'left', 'key']);

const wrapping =
  /^(template_declaration|export_statement|decorated_definition|linkage_specification|ambient_declaration)$/;

/** The parent says nothing without this child: `let` without its only declarator, `template<…>` without its class. */
function isAllOf(outline: Outline, table: RemovalTable, parent: number, child: number): boolean {
  if (parent <= 0 || !table.has(parent) || !isListed(outline, parent)) return false;
  if (wrapping.test(kindOf(outline, parent))) return true;
  const alike = childrenOf(outline, parent).filter(one => outline.kind[one] === outline.kind[child]);
  if (alike.length > 1) return false;
  return (
    /import|using|^use_/.test(kindOf(outline, parent)) ||
    /declarat|specifier|clause|spec$|assignment/.test(kindOf(outline, child))
  );
}

/** The removable nodes that declare the name. */
export function declarationSpans(outline: Outline, table: RemovalTable, binding: Binding): Span[] | undefined {
  const spans: Span[] = [];
  for (const leaf of binding.definitions) {
    let node = leaf;
    while (leading.has(fieldOf(outline, node)) && outline.parent[node]! > 0) node = outline.parent[node]!;
    if (node === leaf && outline.parent[leaf]! > 0 && !table.has(leaf)) node = outline.parent[leaf]!;
    while (node > 0 && !table.has(node)) node = outline.parent[node]!;
    while (isAllOf(outline, table, outline.parent[node]!, node)) node = outline.parent[node]!;
    const removal = table.get(node);
    if (removal === undefined) return undefined;
    spans.push(cut(outline.text, removal.start, removal.end));
  }
  return spans;
}

/** The use becomes 0, or another thing that may stand there; where nothing may, it goes. */
export function byDefault(outline: Outline, table: RemovalTable, use: number): Span | undefined {
  const { symbols } = tongueOf(outline, use);
  if (symbols === undefined) return removalAround(outline, table, use, false);
  const place = called(outline, use);
  for (const [kind, value] of defaults)
    if (symbols(kind).some(symbol => mayStand(outline, place, symbol)))
      return put(outline.text, outline.start[place]!, outline.end[place]!, value);
  return removalAround(outline, table, use, false);
}

/** The whole call, instantiation or access where the use is what it is made of: `f(x).y` for `f`. */
export function called(outline: Outline, use: number): number {
  let node = use;
  while (
    outline.parent[node]! > 0 &&
    outline.start[outline.parent[node]!] === outline.start[node] &&
    /call|invocation|instantiation|member|field_expression|subscript|template_(type|function)|generic|qualified|scoped|new_expression|attribute/.test(
      kindOf(outline, outline.parent[node]!),
    )
  )
    node = outline.parent[node]!;
  return node;
}

const defaults: readonly (readonly [string, string])[] = [
  ['number', '0'],
  ['number_literal', '0'],
  ['integer', '0'],
  ['integer_literal', '0'],
  ['int_literal', '0'],
  ['decimal_integer_literal', '0'],
  ['predefined_type', 'any'],
  ['primitive_type', 'int'],
  ['integral_type', 'int'],
];
