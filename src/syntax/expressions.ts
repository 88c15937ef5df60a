import type { Edit } from './edit.js';
import { fieldOf, isLeaf, kindOf, type Outline } from './flat-tree.js';

/** Kinds that bind so tightly that they can stand anywhere in an expression. */
const tight =
  /identifier|literal|^(string|number|integer|float|char|name|variable_name|true|false|null|none|None|this|self|super|regex|template_string|array|list|tuple|dictionary|set|call|attribute|parenthesized_\w+|tuple_expression|interpolated_string\w*)$|call_expression|invocation|^function_call|member|field_expression|subscript|index_expression|_call$|_access/;

/** Kinds that begin a statement of their own where they stand first in one. */
const wordy = /^(function_expression|generator_function|class|object|anonymous_function\w*)$/;

/** Places in which an expression stands by itself, so that nothing can bind to a part of it. */
const around =
  /argument|parenthesized|assignment|declarator|^(array|list|pair|return_statement|return_expression|expression_statement|expression_list|let_declaration|short_var_declaration|subscript_argument_list|template_substitution|jsx_expression|initializer_list|default_parameter|keyword_argument)$/;

/** The text of `value` as it can stand in the place of the node `place`: in brackets where it could fall apart. */
export function placed(outline: Outline, value: number, text: string, place: number): string {
  const kind = kindOf(outline, value);
  const above = outline.parent[place]!;
  if (wordy.test(kind)) return opensStatement(outline, place) ? `(${text})` : text;
  // `3.x` would be a number with a letter behind it.
  if (/^\d+$/.test(text) && fieldOf(outline, place) === 'object') return `(${text})`;
  if (isLeaf(outline, value) || tight.test(kind) || (kind === 'new_expression' && text.endsWith(')'))) return text;
  if (above >= 0 && around.test(kindOf(outline, above)) && fieldOf(outline, place) !== 'left') return text;
  if (fieldOf(outline, place) === 'index') return text;
  return `(${text})`;
}

function opensStatement(outline: Outline, place: number): boolean {
  for (let node = place; node > 0 && outline.start[node] === outline.start[place]; node = outline.parent[node]!)
    if (/^(expression_statement|arrow_function)$/.test(kindOf(outline, outline.parent[node]!)))
      return outline.start[outline.parent[node]!] === outline.start[place] || fieldOf(outline, node) === 'body';
  return false;
}

/**
 * Whether an edit makes the text smaller now, and would so if the name that it takes from `places` places were one letter
 * long and all blank space gone: they will be, and what was put in many places instead will not.
 */
export function shrinks(text: string, { spans }: Edit, name = '', places = 0): boolean {
  let now = 0;
  let later = places > 2 ? -Math.max(0, name.length - 1) * places : 0;
  for (const span of spans) {
    now += span.end - span.start - span.text.length;
    later += compact(text.slice(span.start, span.end)) - compact(span.text);
  }
  return now > 0 && later > 0;
}

export const compact = (text: string): number => text.replace(/\s+/g, '').length;

/** base[start, end) with some of its nodes replaced. The nodes do not overlap. */
export function withReplaced(
  outline: Outline,
  start: number,
  end: number,
  replaced: ReadonlyMap<number, string>,
): string {
  const pieces: string[] = [];
  let position = start;
  for (const [node, text] of [...replaced].sort((a, b) => a[0] - b[0])) {
    if (outline.start[node]! < position || outline.end[node]! > end) continue;
    pieces.push(outline.text.slice(position, outline.start[node]), text);
    position = outline.end[node]!;
  }
  pieces.push(outline.text.slice(position, end));
  return pieces.join('');
}
