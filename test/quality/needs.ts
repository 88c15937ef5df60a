import type { Node } from 'web-tree-sitter';
import { grammarOf } from '../../src/syntax/grammars.js';
import { requireLanguage } from '../../src/syntax/languages/index.js';

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

/**
 * Like a program that crashes when it runs: no syntax error, and calls lead from a loop, through functions that the text has,
 * to a call like this.
 */
export async function looping(language: string, like: RegExp): Promise<Fails> {
  const { parser } = await grammarOf(requireLanguage(language))!;
  const isCall = (node: Node): boolean => /^call(_expression)?$/.test(node.type);
  const within = (node: Node, wanted: (one: Node) => boolean): Node[] =>
    node.namedChildren.flatMap(child =>
      child === null || child.type === 'function_definition'
        ? []
        : [...(wanted(child) ? [child] : []), ...within(child, wanted)],
    );
  return text => {
    const tree = parser.parse(text)!;
    const bodies = new Map<string, Node>();
    for (const node of tree.rootNode.descendantsOfType('function_definition')) {
      const name = (node?.childForFieldName('name') ?? node?.childForFieldName('declarator'))?.text;
      if (node !== null && name !== undefined) bodies.set(/^\w+/.exec(name)?.[0] ?? '', node);
    }
    const called = new Set<Node>();
    const crashes = (node: Node): boolean =>
      within(node, isCall).some(call => {
        const body = bodies.get(call.childForFieldName('function')?.text ?? '');
        if (body === undefined || called.has(body)) return like.test(call.text);
        called.add(body);
        return crashes(body);
      });
    const loops = tree.rootNode.descendantsOfType('for_statement');
    const found = !tree.rootNode.hasError && loops.some(loop => loop !== null && crashes(loop));
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
