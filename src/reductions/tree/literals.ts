/** Simplifies numbers, strings and operators. */
import { addTo } from '../../core/lists.js';
import type { Edit } from '../../syntax/edit.js';
import { type FlatTree, grammarAt, isLeaf, isNamed, sizeOf, textOf } from '../../syntax/flat-tree.js';
import { stateBefore } from '../../syntax/parse-table.js';
import type { Syntax } from '../../syntax/syntax.js';
import { put } from '../../syntax/text-cut.js';
import type { TextPass } from './pass.js';

/** Simplifies numbers, strings and operators. What should be tried first comes last. */
export function literals(syntax: Syntax): TextPass {
  return {
    name: 'literal',
    async edits(text) {
      const tree = await syntax.tree(text);
      const edits: Edit[] = [];
      const repeated = new Map<string, number[]>();
      for (let node = tree.count - 1; node > 0; node--) {
        if (tree.end[node] === tree.start[node] || !(isLeaf(tree, node) || isMeasure(tree, node))) continue;
        const own = textOf(tree, node);
        const forms = simpler(tree, node, own);
        for (const one of forms) edits.push(inPlaceOf(tree, [node], one));
        if (forms.length > 0 && own.length > short) addTo(repeated, own, node);
      }
      for (const [own, nodes] of repeated)
        if (nodes.length > 1 && nodes.length <= most)
          for (const one of simpler(tree, nodes[0]!, own)) edits.push(inPlaceOf(tree, nodes, one));
      return edits;
    },
  };
}

/** A CSS number has its unit as a separate child. */
const isMeasure = (tree: FlatTree, node: number): boolean =>
  tree.past[node] === node + 2 &&
  isNamed(tree, node) &&
  sizeOf(tree, node) < longest &&
  number.test(textOf(tree, node));

const longest = 40;
const number = /^[+-]?[\d.][\d.\w']*%?$/;

/** What two places have in common may be what matters: a number that is compared with itself. Short ones are equal by chance. */
const short = 3;
const most = 20;

function inPlaceOf(tree: FlatTree, nodes: readonly number[], one: string): Edit {
  const places = nodes.length > 1 ? ` at ${nodes.length} places` : '';
  return {
    spans: nodes.map(node => put(tree.text, tree.start[node]!, tree.end[node]!, one)),
    label: `${textOf(tree, nodes[0]!).slice(0, 20)} → ${one.slice(0, 20)}${places}`,
  };
}

function simpler(tree: FlatTree, node: number, own: string): readonly string[] {
  if (number.test(own)) return numbers(own);
  if (isNamed(tree, node)) return /^["'`]/.test(own) && own.length > 3 ? strings(own) : [];
  if (own.length < 2 || own.length > 4 || /\w/.test(own)) return [];
  const grammar = grammarAt(tree, node);
  const parts = [own[0]!, own[own.length - 1]!, own.slice(0, -1)];
  return [...new Set(parts)].filter(part =>
    (grammar.symbols?.(part) ?? []).some(symbol => grammar.expects?.(stateBefore(tree, node), symbol) === true),
  );
}

/**
 * The shortest last: 12.5px → 12.5, 12, 1, 9, 2, 0. A large number that only has to be large is 9, one that is more than one is
 * 2, and one that has to be as large as it is may have an exponent: 123456 → 1e5.
 */
function numbers(own: string): readonly string[] {
  const plain = /^[+-]?(0x[\da-fA-F]+|\d+)/.exec(own)?.[0] ?? '';
  const forms = [
    own.replace(/[a-zA-Z%]+$/, ''),
    ...(/^\d{5,}$/.test(own) ? [`${own[0]}e${own.length - 1}`] : []),
    plain,
    own.slice(0, Math.ceil(own.length / 2)),
    own[0]!,
    ...(own.length > 1 ? ['9', '2'] : []),
    '1',
    '0',
  ];
  return [...new Set(forms)].filter(
    one => one !== own && one !== '' && one.length <= own.length && /\d$/.test(one) && !(own.length === 1 && one > own),
  );
}

function strings(own: string): readonly string[] {
  const quote = own[own.length - 1]!;
  if (own[0] !== quote) return [];
  const inner = own.slice(1, -1);
  const half = Math.ceil(inner.length / 2);
  const forms = [inner.slice(0, half), inner.slice(half), inner.slice(0, 1), ''];
  return forms.filter(one => one.length < inner.length && !/\\$/.test(one)).map(one => quote + one + quote);
}
