/** Which parts of a text are comments, strings, numbers, keywords and types, for people who read it. */
import type { TreeCursor } from 'web-tree-sitter';
import { grammarOf } from './grammars.js';
import { languageOf } from './languages/index.js';
import type { Kinds } from './languages/kinds.js';

export const colourNames = ['comment', 'string', 'number', 'keyword', 'type'] as const;

/** Start, end and colour number, repeated, in order; offsets in UTF-16 units. */
export type Colours = readonly number[];

/** A node with one of these roles has one colour, whatever is inside it. A word that is not a name is a keyword. */
const roles = ['comment', 'textLiteral', 'numberLiteral', undefined, 'typeName'] as const;
const keyword = 3;
const word = /^[#@]?[a-z][a-z_-]*$/i;

/** `undefined` for a language without a grammar. */
export async function coloursOf(path: string, text: string): Promise<Colours | undefined> {
  const language = languageOf(path);
  const grammar = language && (await grammarOf(language));
  const tree = grammar?.parser.parse(text);
  if (!grammar || !tree) return undefined;
  const colours: number[] = [];
  const cursor = tree.walk();
  try {
    for (let more = true; more; ) {
      const colour = colourOf(cursor, grammar.language.kinds);
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

function colourOf({ nodeType, nodeIsNamed }: TreeCursor, kinds: Kinds): number {
  if (!nodeIsNamed) return word.test(nodeType) ? keyword : -1;
  return roles.findIndex(role => role !== undefined && kinds[role].test(nodeType));
}
