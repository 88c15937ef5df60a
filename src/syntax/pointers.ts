import { type Binding, bindingsByName, isIntroduced } from './bindings.js';
import { childrenOf, type FlatTree, grammarAt, isNamed, kindOf, textOf } from './flat-tree.js';
import type { Language } from './languages/index.js';

/** A place where something gets a name that others point at, or where it is pointed at. */
export interface Mark {
  /** With the space of names that it belongs to, `#` for ids and anchors and `[` for labels: `#top`, `[note`. */
  readonly name: string;
  /** Where the name itself is spelled. */
  readonly start: number;
  readonly end: number;
  /** How it points: an attribute's name, or the form of a link. */
  readonly by: string;
}

export interface Pointed {
  readonly targets: readonly Mark[];
  readonly pointers: readonly Mark[];
}

export const hasPointers = (language: Language): boolean => language.markup === true || language.name === 'markdown';

/** Ids and what points at them: attributes in HTML, SVG and XML; links, footnotes and headings in Markdown. */
export const pointedIn = (language: Language, tree: FlatTree): Pointed =>
  language.markup === true ? inMarkup(tree) : inMarkdown(tree.text);

/** Attributes that hold ids, several with blank space between them. */
const lists =
  /^(for|headers|list|form|popovertarget|commandfor|itemref|aria-(labelledby|describedby|controls|owns|flowto|details|errormessage|activedescendant))$/;

function inMarkup(tree: FlatTree): Pointed {
  const targets: Mark[] = [];
  const pointers: Mark[] = [];
  for (let node = 1; node < tree.count; node++) {
    if (tree.grammar[node] !== 0 || !isNamed(tree, node)) continue;
    const kind = kindOf(tree, node);
    const start = tree.start[node]!;
    if (/^(raw_text|CharData|CData)$/.test(kind)) pointers.push(...paints(textOf(tree, node), start));
    if (!/^[aA]ttribute$/.test(kind)) continue;
    const value = valueIn(tree, node);
    if (value === undefined) continue;
    const by = textOf(tree, childrenOf(tree, node)[0]!).toLowerCase();
    const plain = (found: RegExpMatchArray): Mark => marked(found[0], value.start + found.index!, by);
    if (by === 'id' || by === 'xml:id' || (by === 'name' && /^(a|map)$/i.test(elementOf(tree, node))))
      targets.push(...matches(value.text, /^\S[\s\S]*/g).map(plain));
    else if (lists.test(by)) pointers.push(...matches(value.text, /\S+/g).map(plain));
    else if (/^(.+:)?href$|^usemap$/.test(by)) pointers.push(...matches(value.text, /(?<=^\s*#)\S+/g).map(plain));
    else if (by === 'begin' || by === 'end')
      pointers.push(...matches(value.text, /(?=[\p{L}_])(?<=(?:^|;)\s*)[^\s;.]+(?=\.[a-z])/gu).map(plain));
    else pointers.push(...paints(value.text, value.start));
  }
  // The top of a page is there without an id.
  return { targets, pointers: pointers.filter(({ name }) => name.toLowerCase() !== '#top') };
}

const matches = (text: string, like: RegExp): RegExpMatchArray[] => [...text.matchAll(like)];

const marked = (spelled: string, start: number, by: string): Mark => ({
  name: `#${decoded(spelled)}`,
  start,
  end: start + spelled.length,
  by,
});

/** `url(#x)`, in a style or in an attribute. */
const paints = (text: string, offset: number): Mark[] =>
  matches(text, /(?<=url\(\s*["']?#)[^"')\s]+/g).map(found => marked(found[0], offset + found.index!, 'url'));

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function valueIn(tree: FlatTree, attribute: number): { readonly text: string; readonly start: number } | undefined {
  for (let node = attribute + 1; node < tree.past[attribute]!; node++) {
    const kind = kindOf(tree, node);
    if (kind === 'attribute_value') return { text: textOf(tree, node), start: tree.start[node]! };
    if (kind === 'AttValue') return { text: textOf(tree, node).slice(1, -1), start: tree.start[node]! + 1 };
  }
  return undefined;
}

/** The name of the element whose tag the attribute stands in. */
function elementOf(tree: FlatTree, attribute: number): string {
  const tag = childrenOf(tree, tree.parent[attribute]!).find(child => isNamed(tree, child));
  return tag === undefined ? '' : textOf(tree, tag);
}

/** A label in brackets alone is a link only where it is defined, and words in brackets else. */
export const shortcut = 'shortcut';

function inMarkdown(text: string): Pointed {
  const prose = blank(text, /^ {0,3}(```+|~~~+)[\s\S]*?(?:^ {0,3}\1|(?![\s\S]))/gm);
  const bare = blank(prose, /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g);
  const targets: Mark[] = [...headings(prose)];
  const pointers: Mark[] = [];
  for (const found of matches(bare, /\[([^\][]*)\]/g)) {
    const start = found.index! + 1;
    const end = start + found[1]!.length;
    const before = bare[start - 2];
    const isNote = found[1]!.startsWith('^');
    const mark = (by: string): Mark => ({
      name: `[${found[1]!.trim().replace(/\s+/g, ' ').toLowerCase()}`,
      start: isNote ? start + 1 : start,
      end,
      by,
    });
    if (found[1]!.trim() === '') continue;
    if (bare[end + 1] === ':' && /(^|\n) {0,3}$/.test(bare.slice(Math.max(0, start - 5), start - 1)))
      targets.push(mark('label'));
    else if (before === ']' || isNote || bare.startsWith('[]', end + 1)) pointers.push(mark(isNote ? 'note' : 'label'));
    else if (bare[end + 1] !== '(' && bare[end + 1] !== '[') pointers.push(mark(shortcut));
  }
  const anchor = (by: string) => (found: RegExpMatchArray) => {
    const mark = marked(found[0], found.index!, by);
    return { ...mark, name: mark.name.toLowerCase() };
  };
  pointers.push(...matches(bare, /(?<=\]\(\s*<?#|^ {0,3}\[[^\]]*\]:\s*<?#)[^\s)>]+/gm).map(anchor('link')));
  for (const tag of matches(bare, /<[^<>]*>/g))
    for (const found of matches(tag[0], /(\s(?:id|name|href)\s*=\s*["']?)([^\s"'>]+)/gi)) {
      const [, before, name] = found as unknown as readonly [string, string, string];
      const isPointer = /^\shref/i.test(before);
      if (isPointer && !name.startsWith('#')) continue;
      const start = tag.index! + found.index! + before.length + (isPointer ? 1 : 0);
      const mark = marked(name.slice(isPointer ? 1 : 0), start, isPointer ? 'href' : 'id');
      (isPointer ? pointers : targets).push({ ...mark, name: mark.name.toLowerCase() });
    }
  targets.push(...matches(bare, /(?<=^ {0,3}#.*\{#)[^\s{}]+(?=\})/gm).map(anchor('id')));
  return { targets, pointers };
}

/** No anchor is longer, and a heading of a megabyte is none. */
const longestName = 1_000;

/** Same length, so that every place is one in the text. */
const blank = (text: string, what: RegExp): string => text.replace(what, found => found.replace(/[^\n]/g, ' '));

/** Headings are anchors under the names that the common sites give them; one that is there already gets a number. */
function headings(text: string): Mark[] {
  const counts = new Map<string, number>();
  return matches(text, /^ {0,3}#{1,6}[ \t]+(.*)$|^ {0,3}(?![-=>#*+\s])(.+)\n {0,3}(?:=+|-+)[ \t]*$/gm).map(found => {
    const content = withoutClosing((found[1] ?? found[2]!).trimEnd());
    const start = found.index! + found[0].indexOf(content, found[1] === undefined ? 0 : found[0].indexOf('#') + 1);
    const slug = content
      .slice(0, longestName)
      .replace(/\{#[^{}]*\}/, '')
      .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return { name: `#${slug}${count === 0 ? '' : `-${count}`}`, start, end: start + content.length, by: 'heading' };
  });
}

/** `# Title ##` is `Title`. A regular expression would look again from every blank. */
function withoutClosing(heading: string): string {
  let end = heading.length;
  while (end > 0 && heading[end - 1] === '#') end--;
  return end === heading.length || (end > 0 && !/[ \t]/.test(heading[end - 1]!))
    ? heading
    : heading.slice(0, end).trimEnd();
}

/** Ids as bindings, and what embedded scripts declare: an edit that takes a declaration away takes its uses along. */
export function bindingsInMarkup(language: Language, tree: FlatTree): readonly Binding[] {
  const isCode = (leaf: number): boolean => grammarAt(tree, leaf).language.names === true;
  return [
    ...linked(language, tree).map(({ name, targets, pointers }) => ({
      name,
      definitions: targets.map(mark => leafAt(tree, mark)),
      uses: pointers.map(mark => leafAt(tree, mark)),
    })),
    ...bindingsByName(tree)
      .filter(({ definitions }) => definitions.every(leaf => isCode(leaf) && isIntroduced(tree, leaf)))
      .map(binding => ({ ...binding, uses: binding.uses.filter(isCode) })),
  ];
}

export interface Linked {
  readonly name: string;
  readonly targets: readonly Mark[];
  readonly pointers: readonly Mark[];
}

/** Every name that is a target, in the order of the text. */
export function linked(language: Language, tree: FlatTree): readonly Linked[] {
  const { targets, pointers } = pointedIn(language, tree);
  const found = new Map<string, { targets: Mark[]; pointers: Mark[] }>();
  for (const mark of [...targets].sort((a, b) => a.start - b.start)) {
    const known = found.get(mark.name);
    if (known === undefined) found.set(mark.name, { targets: [mark], pointers: [] });
    else known.targets.push(mark);
  }
  for (const mark of pointers) found.get(mark.name)?.pointers.push(mark);
  return [...found].map(([name, marks]) => ({ name, ...marks }));
}

export const leafAt = (tree: FlatTree, mark: Mark): number => nodeAt(tree, Math.max(mark.start, mark.end - 1));

/** The deepest node at an offset. */
function nodeAt(tree: FlatTree, offset: number): number {
  let node = 0;
  for (;;) {
    let child = node + 1;
    while (child < tree.past[node]! && tree.end[child]! <= offset) child = tree.past[child]!;
    if (child >= tree.past[node]! || tree.start[child]! > offset) return node;
    node = child;
  }
}
