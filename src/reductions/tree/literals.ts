import type { Edit } from '../../syntax/edit.js';
import { isLeaf, isNamed, type Outline, sizeOf, textOf, tongueOf } from '../../syntax/flat-tree.js';
import { stateBefore } from '../../syntax/parse-table.js';
import type { Syntax } from '../../syntax/syntax.js';
import { put } from '../../syntax/text-cut.js';
import type { TextPass } from './pass.js';

/** Numbers, strings and operators become simpler. What should be tried first stands last. */
export function literals(syntax: Syntax): TextPass {
  return {
    name: 'literal',
    async edits(text) {
      const outline = await syntax.outline(text);
      const edits: Edit[] = [];
      const repeated = new Map<string, number[]>();
      for (let node = outline.count - 1; node > 0; node--) {
        if (outline.end[node] === outline.start[node] || !(isLeaf(outline, node) || isMeasure(outline, node))) continue;
        const own = textOf(outline, node);
        const forms = simpler(outline, node, own);
        for (const one of forms) edits.push(inPlaceOf(outline, [node], one));
        if (forms.length === 0 || own.length <= short) continue;
        const same = repeated.get(own);
        if (same === undefined) repeated.set(own, [node]);
        else same.push(node);
      }
      for (const [own, nodes] of repeated)
        if (nodes.length > 1 && nodes.length <= most)
          for (const one of simpler(outline, nodes[0]!, own)) edits.push(inPlaceOf(outline, nodes, one));
      return edits;
    },
  };
}

/** A number of CSS has its unit as a part of its own. */
const isMeasure = (outline: Outline, node: number): boolean =>
  outline.past[node] === node + 2 &&
  isNamed(outline, node) &&
  sizeOf(outline, node) < longest &&
  number.test(textOf(outline, node));

const longest = 40;
const number = /^[+-]?[\d.][\d.\w']*%?$/;

/** What two places have in common may be what matters: a number that is compared with itself. Short ones are so by chance. */
const short = 3;
const most = 20;

function inPlaceOf(outline: Outline, nodes: readonly number[], one: string): Edit {
  const places = nodes.length > 1 ? ` at ${nodes.length} places` : '';
  return {
    spans: nodes.map(node => put(outline.text, outline.start[node]!, outline.end[node]!, one)),
    label: `${textOf(outline, nodes[0]!).slice(0, 20)} → ${one.slice(0, 20)}${places}`,
  };
}

function simpler(outline: Outline, node: number, own: string): readonly string[] {
  if (number.test(own)) return numbers(own);
  if (isNamed(outline, node)) return /^["'`]/.test(own) && own.length > 3 ? strings(own) : [];
  if (own.length < 2 || own.length > 4 || /\w/.test(own)) return [];
  const tongue = tongueOf(outline, node);
  const parts = [own[0]!, own[own.length - 1]!, own.slice(0, -1)];
  return [...new Set(parts)].filter(part =>
    (tongue.symbols?.(part) ?? []).some(symbol => tongue.expects?.(stateBefore(outline, node), symbol) === true),
  );
}

/** The shortest last: 12.5px → 12.5, 12, 1, 0. */
function numbers(own: string): readonly string[] {
  const plain = /^[+-]?(0x[\da-fA-F]+|\d+)/.exec(own)?.[0] ?? '';
  const forms = [own.replace(/[a-zA-Z%]+$/, ''), plain, own.slice(0, Math.ceil(own.length / 2)), own[0]!, '1', '0'];
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
