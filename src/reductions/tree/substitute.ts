import { isTagKind, isTagPart } from '../../syntax/delimiters.js';
import type { Edit } from '../../syntax/edit.js';
import { type FlatTree, grammarAt, isComment, isNamed, kindOf, sizeOf } from '../../syntax/flat-tree.js';
import { mayStand } from '../../syntax/parse-table.js';
import type { Syntax } from '../../syntax/syntax.js';
import { put } from '../../syntax/text-cut.js';
import type { TextPass } from './pass.js';

/**
 * Replaces a node by the smallest thing that may stand there: the smallest node of a kind that fits found elsewhere in
 * the file, or a constant that nearly all languages share (Vulcan's subtree replacement, treereduce's constants).
 */
export function substitute(syntax: Syntax, most = 3): TextPass {
  return {
    name: 'substitute',
    async edits(text) {
      const tree = await syntax.tree(text);
      const pools = tree.grammars.map((_, index) => smallest(tree, index));
      const edits: Edit[] = [];
      for (let node = tree.count - 1; node > 0; node--) {
        if (!isNamed(tree, node) || isComment(tree, node) || grammarAt(tree, node).after === undefined) continue;
        const above = tree.parent[node]!;
        // Half an element, or the name in one of its tags, must not change alone; see markup.ts.
        if (isTagPart(tree, node) || isTagPart(tree, above)) continue;
        if (above > 0 && sizeOf(tree, above) === sizeOf(tree, node)) continue;
        const size = sizeOf(tree, node);
        const found: string[] = [];
        for (const { symbol, kind, texts } of pools[tree.grammar[node]!]!) {
          if (isTagKind(grammarAt(tree, node).kinds[kind]!)) continue;
          if (found.length >= most || texts[0]!.length >= size) break;
          if (kind !== tree.kind[node] && !mayStand(tree, node, symbol)) continue;
          for (const one of texts)
            if (one.length < size && found.length < most && !found.includes(one)) found.push(one);
        }
        const from = tree.start[node]!;
        for (const one of found.reverse())
          edits.push({ spans: [put(text, from, tree.end[node]!, one)], label: `${kindOf(tree, node)} → ${one}` });
      }
      return edits;
    },
  };
}

interface Pool {
  readonly symbol: number;
  readonly kind: number;
  readonly texts: readonly string[];
}

/** The smallest texts per symbol, the shortest first. */
function smallest(tree: FlatTree, index: number): readonly Pool[] {
  const grammar = tree.grammars[index]!;
  const best = new Map<number, { kind: number; text: string; seen: boolean }>();
  const offer = (symbol: number, kind: number, text: string): void => {
    const old = best.get(symbol);
    if (old === undefined || text.length < old.text.length) best.set(symbol, { kind, text, seen: true });
  };
  grammar.kinds.forEach((kind, symbol) => {
    const text = constant(kind, grammar.language.name);
    if (text !== undefined) offer(symbol, symbol, text);
  });
  for (let node = 1; node < tree.count; node++) {
    if (tree.grammar[node] !== index || !isNamed(tree, node) || tree.flags[node]! > 1) continue;
    const size = sizeOf(tree, node);
    const old = best.get(tree.symbol[node]!);
    if (size > 0 && size <= 40 && (old === undefined || size < old.text.length))
      offer(tree.symbol[node]!, tree.kind[node]!, tree.text.slice(tree.start[node], tree.end[node]));
  }
  return [...best]
    .map(([symbol, { kind, text }]) => ({ symbol, kind, texts: [text] }))
    .sort((a, b) => a.texts[0]!.length - b.texts[0]!.length || a.symbol - b.symbol);
}

/** What grammars call the same things by nearly the same names. */
const constants: readonly (readonly [RegExp, string])[] = [
  [
    /^(number|integer|int|number_literal|integer_literal|int_literal|decimal_integer_literal|integer_value|numeric_lit|long_literal|float|float_literal|real_literal|decimal_floating_point_literal|float_value)$/,
    '0',
  ],
  [
    /^(identifier|simple_identifier|field_identifier|property_identifier|type_identifier|namespace_identifier|statement_identifier|variable_name|word|name|constant|bare_key|plain_value|tag_name|class_name|id_name|function_name)$/,
    'a',
  ],
  [/^(string|string_literal|interpreted_string_literal|line_string_literal|encapsed_string|string_value)$/, '""'],
  [
    /^(compound_statement|statement_block|block|class_body|declaration_list|field_declaration_list|enum_body|interface_body|object|object_type|function_body|enumerator_list|switch_body)$/,
    '{}',
  ],
  [/^(array|array_expression|list|list_expression)$/, '[]'],
  [
    /^(argument_list|arguments|parameter_list|formal_parameters|parameters|method_parameters|value_arguments|unit_expression)$/,
    '()',
  ],
  [/^(empty_statement)$/, ';'],
  [/^(primitive_type|integral_type|predefined_type|sized_type_specifier)$/, 'int'],
];

function constant(kind: string, language: string): string | undefined {
  if (language === 'python' && (kind === 'block' || kind === 'pass_statement')) return 'pass';
  if (kind === 'predefined_type') return /typescript|tsx/.test(language) ? 'any' : 'int';
  if (kind === 'primitive_type' && language === 'rust') return 'u8';
  if (
    ['lua', 'ruby', 'bash', 'yaml', 'python', 'haskell', 'elm'].includes(language) &&
    /^(block|object|function_body)$/.test(kind)
  )
    return undefined;
  if (language === 'css' || language === 'scss') if (kind === 'plain_value') return 'a';
  return constants.find(([pattern]) => pattern.test(kind))?.[1];
}
