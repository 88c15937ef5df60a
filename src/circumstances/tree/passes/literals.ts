import type { Edit } from '../../edits.js';
import { put } from '../extents.js';
import { stateBefore } from '../fits.js';
import { isLeaf, isNamed, type Outline, textOf, tongueOf } from '../outline.js';
import type { TextPass } from '../pass.js';
import type { Syntax } from '../syntax.js';

/** Numbers, strings and operators become simpler. What should be tried first stands last. */
export function literals(syntax: Syntax): TextPass {
  return {
    name: 'literal',
    async edits(text) {
      const outline = await syntax.outline(text);
      const edits: Edit[] = [];
      for (let node = outline.count - 1; node > 0; node--) {
        if (!isLeaf(outline, node) || outline.end[node] === outline.start[node]) continue;
        const own = textOf(outline, node);
        for (const one of simpler(outline, node, own))
          edits.push({
            spans: [put(text, outline.start[node]!, outline.end[node]!, one)],
            label: `${own.slice(0, 20)} → ${one.slice(0, 20)}`,
          });
      }
      return edits;
    },
  };
}

function simpler(outline: Outline, node: number, own: string): readonly string[] {
  if (/^[+-]?[\d.][\d.\w']*%?$/.test(own)) return numbers(own);
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
