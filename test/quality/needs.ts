import type { Node } from 'web-tree-sitter';
import { grammarOf } from '../../src/circumstances/tree/grammars.js';
import { requireLanguage } from '../../src/circumstances/tree/languages.js';

/** What a text must have to fail: texts → yes or no. */
export type Fails = (text: string) => boolean;

/**
 * Like a compiler that crashes: the text has no syntax error, and somewhere in its tree stand nodes of these kinds inside
 * each other, the innermost with a text like this.
 */
export async function nested(language: string, kinds: readonly RegExp[], like: RegExp): Promise<Fails> {
  const { parser } = await grammarOf(requireLanguage(language))!;
  return text => {
    const tree = parser.parse(text)!;
    const found = !tree.rootNode.hasError && holds(tree.rootNode, kinds, like);
    tree.delete();
    return found;
  };
}

/** Both: the host's text fails by itself, and what is embedded in it (the first group) does so in its own language. */
export async function embedded(host: Fails, part: RegExp, guest: Fails): Promise<Fails> {
  return text => host(text) && [...text.matchAll(part)].some(match => guest(match[1]!));
}

function holds(node: Node, kinds: readonly RegExp[], like: RegExp): boolean {
  let rest = kinds;
  if (rest[0]!.test(node.type) && (rest.length > 1 || like.test(node.text))) rest = rest.slice(1);
  return rest.length === 0 || node.namedChildren.some(child => child !== null && holds(child, rest, like));
}

const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** For notations without a grammar: quotes and brackets are closed, and the text looks like this. */
export const balanced =
  (like: RegExp): Fails =>
  text => {
    if (!like.test(text)) return false;
    const open: string[] = [];
    for (const [sign] of text.replace(/"[^"\n]*"|'[^'\n]*'/g, '').matchAll(/[()[\]{}"']/g)) {
      const opening = pairs[sign];
      if (opening === undefined) open.push(sign);
      else if (open.pop() !== opening) return false;
    }
    return open.length === 0;
  };
