/** What HTML, XML and similar languages share: ids and what points at them, tags, and text in other languages. */
import { addAll } from '../../core/lists.js';
import { childrenOf, type FlatTree, isNamed, kindOf, textOf } from '../flat-tree.js';
import type { Changes } from './generic.js';
import { marked, matches } from './marks.js';
import type { Mark, Pointed } from './profile.js';

export const markup = {
  markup: true,
  pointers: inMarkup,
  hiddenErrors,
  embedded: () => ['javascript', 'typescript', 'css', 'scss'],
  embeds: { text: () => 'brackets' },
} satisfies Partial<Changes>;

/** Attributes that contain one or several ids, separated by whitespace. */
const lists =
  /^(for|headers|list|form|popovertarget|commandfor|itemref|aria-(labelledby|describedby|controls|owns|flowto|details|errormessage|activedescendant))$/;

function inMarkup(tree: FlatTree): Pointed {
  const targets: Mark[] = [];
  const pointers: Mark[] = [];
  for (let node = 1; node < tree.count; node++) {
    if (tree.grammar[node] !== 0 || !isNamed(tree, node)) continue;
    const kind = kindOf(tree, node);
    const start = tree.start[node]!;
    if (/^(raw_text|CharData|CData)$/.test(kind)) addAll(pointers, paints(textOf(tree, node), start));
    if (!/^[aA]ttribute$/.test(kind)) continue;
    const value = valueIn(tree, node);
    if (value === undefined) continue;
    const by = textOf(tree, childrenOf(tree, node)[0]!).toLowerCase();
    const plain = (found: RegExpMatchArray): Mark => marked(found[0], value.start + found.index!, by);
    if (by === 'id' || by === 'xml:id' || (by === 'name' && /^(a|map)$/i.test(elementOf(tree, node))))
      addAll(targets, matches(value.text, /^\S[\s\S]*/g).map(plain));
    else if (lists.test(by)) addAll(pointers, matches(value.text, /\S+/g).map(plain));
    else if (/^(.+:)?href$|^usemap$/.test(by)) addAll(pointers, matches(value.text, /(?<=^\s*#)\S+/g).map(plain));
    else if (by === 'begin' || by === 'end')
      addAll(pointers, matches(value.text, /(?=[\p{L}_])(?<=(?:^|;)\s*)[^\s;.]+(?=\.[a-z])/gu).map(plain));
    else addAll(pointers, paints(value.text, value.start));
  }
  // `#top` needs no id.
  return { targets, pointers: pointers.filter(({ name }) => name.toLowerCase() !== '#top') };
}

/** `url(#x)`, in a style or in an attribute. */
const paints = (text: string, offset: number): Mark[] =>
  matches(text, /(?<=url\(\s*["']?#)[^"')\s]+/g).map(found => marked(found[0], offset + found.index!, 'url'));

function valueIn(tree: FlatTree, attribute: number): { readonly text: string; readonly start: number } | undefined {
  for (let node = attribute + 1; node < tree.past[attribute]!; node++) {
    const kind = kindOf(tree, node);
    if (kind === 'attribute_value') return { text: textOf(tree, node), start: tree.start[node]! };
    if (kind === 'AttValue') return { text: textOf(tree, node).slice(1, -1), start: tree.start[node]! + 1 };
  }
  return undefined;
}

/** The name of the element whose tag contains the attribute. */
function elementOf(tree: FlatTree, attribute: number): string {
  const tag = childrenOf(tree, tree.parent[attribute]!).find(child => isNamed(tree, child));
  return tag === undefined ? '' : textOf(tree, tag);
}

const mayStayOpen =
  /^(area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|html|head|body|li|dt|dd|p|rt|rp|optgroup|option|colgroup|caption|thead|tbody|tfoot|tr|td|th)$/i;

/** Errors of HTML that its grammar does not report: a closing tag without an opening one, and elements that are never closed. */
function hiddenErrors(tree: FlatTree): number {
  let count = 0;
  for (let node = 1; node < tree.count; node++) {
    const kind = kindOf(tree, node);
    if (kind === 'erroneous_end_tag') count++;
    if (kind !== 'element' || kindOf(tree, node + 1) !== 'start_tag') continue;
    const parts = childrenOf(tree, node);
    const name = childrenOf(tree, node + 1).find(child => isNamed(tree, child));
    const isClosed = kindOf(tree, parts[parts.length - 1]!) === 'end_tag';
    if (!isClosed && name !== undefined && !mayStayOpen.test(textOf(tree, name))) count++;
  }
  return count;
}
