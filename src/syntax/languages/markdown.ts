/** Markdown: blocks, the text in them, and links, footnotes and headings. */
import { addAll } from '../../core/lists.js';
import { profile } from './generic.js';
import { marked, matches } from './marks.js';
import { type Mark, type Pointed, shortcut } from './profile.js';

export const markdown = profile({
  name: 'markdown',
  wasm: 'markdown',
  extensions: ['md', 'markdown', 'mdx', 'mkd'],
  aliases: ['md'],
  layout: true,
  pointers: tree => inMarkdown(tree.text),
  embedded: text => [
    'markdown_inline',
    'html',
    ...Array.from(text.matchAll(/^[ \t>]*(?:```|~~~)[ \t]*([\w#+-]+)/gm), found => found[1]!),
  ],
  embeds: { inline: () => 'markdown_inline', html_block: () => 'html' },
});

export const markdownInline = profile({
  name: 'markdown_inline',
  wasm: 'markdown_inline',
  extensions: [],
  layout: true,
});

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
  addAll(pointers, matches(bare, /(?<=\]\(\s*<?#|^ {0,3}\[[^\]]*\]:\s*<?#)[^\s)>]+/gm).map(anchor('link')));
  for (const tag of matches(bare, /<[^<>]*>/g))
    for (const found of matches(tag[0], /(\s(?:id|name|href)\s*=\s*["']?)([^\s"'>]+)/gi)) {
      const [, before, name] = found as unknown as readonly [string, string, string];
      const isPointer = /^\shref/i.test(before);
      if (isPointer && !name.startsWith('#')) continue;
      const start = tag.index! + found.index! + before.length + (isPointer ? 1 : 0);
      const mark = marked(name.slice(isPointer ? 1 : 0), start, isPointer ? 'href' : 'id');
      (isPointer ? pointers : targets).push({ ...mark, name: mark.name.toLowerCase() });
    }
  addAll(targets, matches(bare, /(?<=^ {0,3}#.*\{#)[^\s{}]+(?=\})/gm).map(anchor('id')));
  return { targets, pointers };
}

/** No anchor is longer, and a heading of a megabyte is not an anchor. */
const longestName = 1_000;

/** Same length, so that positions in the tree are positions in the text. */
const blank = (text: string, what: RegExp): string => text.replace(what, found => found.replace(/[^\n]/g, ' '));

/** Headings are anchors, named as common sites name them; a duplicate gets a number. */
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

/** `# Title ##` is `Title`. A regular expression would start again at every blank. */
function withoutClosing(heading: string): string {
  let end = heading.length;
  while (end > 0 && heading[end - 1] === '#') end--;
  return end === heading.length || (end > 0 && !/[ \t]/.test(heading[end - 1]!))
    ? heading
    : heading.slice(0, end).trimEnd();
}
