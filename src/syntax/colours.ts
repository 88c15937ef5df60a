/** Which parts of a text are comments, strings, numbers, keywords and types, for people who read it. */
import type { TreeCursor } from 'web-tree-sitter';
import { grammarOf } from './grammars.js';
import { languageOf } from './languages/index.js';

export const colourNames = ['comment', 'string', 'number', 'keyword', 'type'] as const;

/** Start, end and the number of a colour, again and again, in order; offsets in UTF-16 units. */
export type Colours = readonly number[];

/** A node of one of these kinds has one colour, whatever is inside it. Kinds of nodes are named alike in most grammars. */
const whole: readonly RegExp[] = [
  /comment/,
  /^(string|char|raw_string|interpreted_string|template_string|string_value|quoted_attribute_value|regex|heredoc)|(^|_)(string|char|character)(_literal)?$/,
  /^(number|integer|float|decimal|numeric)|(^|_)(number|integer|int|float|numeric)(_(literal|scalar|value))?$/,
];
const type = /^(type_identifier|primitive_type|predefined_type|builtin_type|tag_name|type_name)$/;
const word = /^[#@]?[a-z][a-z_-]*$/i;

/** Nothing for a language without a grammar. */
export async function coloursOf(path: string, text: string): Promise<Colours | undefined> {
  const language = languageOf(path);
  const grammar = language && (await grammarOf(language));
  const tree = grammar?.parser.parse(text);
  if (!tree) return undefined;
  const colours: number[] = [];
  const cursor = tree.walk();
  try {
    for (let more = true; more; ) {
      const colour = colourOf(cursor);
      if (colour >= 0) colours.push(cursor.startIndex, cursor.endIndex, colour);
      if (colour < 0 && cursor.gotoFirstChild()) continue;
      while (!(more = cursor.gotoNextSibling()) && cursor.gotoParent());
    }
  } finally {
    cursor.delete();
    tree.delete();
  }
  return colours;
}

function colourOf({ nodeType, nodeIsNamed }: TreeCursor): number {
  if (!nodeIsNamed) return word.test(nodeType) ? 3 : -1;
  const colour = whole.findIndex(pattern => pattern.test(nodeType));
  return colour >= 0 ? colour : type.test(nodeType) ? 4 : -1;
}
