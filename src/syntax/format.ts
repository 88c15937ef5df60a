/** A readable form of a result. */
import { type FlatTree, is, isComment, isLeaf } from './flat-tree.js';
import type { Syntax } from './syntax.js';
import { glue } from './text-cut.js';

/**
 * A readable form of a small result, from the tree alone: one statement or tag per line, indented by nesting. It is a
 * proposal: the caller keeps it only if it still fails. Undefined if line breaks have meaning, so that the layout can't be
 * changed.
 */
export async function pretty(text: string, syntax: Syntax): Promise<string | undefined> {
  if (text.trim() === '') return undefined;
  const { language } = syntax;
  if (language.pretty !== undefined) return language.pretty(text);
  if (language.layout === true) return undefined;
  const tree = await syntax.tree(text);
  const formatted = language.markup === true ? prettyMarkup(tree) : prettyCode(tree);
  return formatted === text ? undefined : formatted;
}

interface Token {
  readonly text: string;
  readonly gap: string;
  readonly comment: boolean;
}

function tokens(tree: FlatTree): Token[] {
  const found: Token[] = [];
  let position = 0;
  for (let node = 0; node < tree.count; node++) {
    if (!isLeaf(tree, node) || tree.end[node] === tree.start[node] || tree.start[node]! < position) continue;
    const between = tree.text.slice(position, tree.start[node]);
    const hidden = between.trim();
    if (hidden !== '') found.push({ text: hidden, gap: between.slice(0, between.indexOf(hidden)), comment: false });
    const gap = hidden === '' ? between : between.slice(between.indexOf(hidden) + hidden.length);
    found.push({
      text: tree.text.slice(tree.start[node], tree.end[node]),
      gap,
      comment: isComment(tree, node),
    });
    position = tree.end[node]!;
  }
  const rest = tree.text.slice(position).trim();
  if (rest !== '') found.push({ text: rest, gap: ' ', comment: false });
  return found;
}

function prettyCode(tree: FlatTree): string {
  let out = '';
  let depth = 0;
  let round = 0;
  let last: Token | undefined;
  let lastBlock = false;
  const braces: boolean[] = [];
  const all = tokens(tree);
  all.forEach((token, i) => {
    const closes = token.text === '}' || token.text === '};';
    const isBlock = closes ? (braces.pop() ?? false) : false;
    if (isBlock) depth = Math.max(0, depth - 1);
    const breaks =
      last !== undefined &&
      round === 0 &&
      (isBlock
        ? last.text !== '{'
        : (last.text === '{' && braces[braces.length - 1] === true) ||
          last.text.endsWith(';') ||
          last.comment ||
          (last.text === '}' && lastBlock && !/^(;|,|\)|\.|else|while|catch|finally|\(|\[|=)/.test(token.text)));
    if (breaks) out += `\n${'  '.repeat(depth)}`;
    else if (last !== undefined)
      out += token.gap.includes('\n') ? '\n' : token.gap === '' && !glue(last.text.at(-1), token.text[0]) ? '' : ' ';
    out += token.text;
    if (token.text === '{') {
      const block = all[i + 1]?.text !== '}' && round === 0;
      braces.push(block);
      if (block) depth++;
    }
    if (token.text === '(' || token.text === '[') round++;
    if (token.text === ')' || token.text === ']') round = Math.max(0, round - 1);
    lastBlock = isBlock;
    last = token;
  });
  return `${out.trimEnd()}\n`;
}

/**
 * Elements that hold only elements go on separate lines; elements with text stay as they are, because whitespace matters
 * there.
 */
function prettyMarkup(tree: FlatTree): string {
  const breaks = new Map<number, number>();
  const depth = new Int32Array(tree.count);
  for (let node = 1; node < tree.count; node++) {
    const above = tree.parent[node]!;
    depth[node] = depth[above]! + (is(tree, above, 'element') ? 1 : 0);
    const isElement = is(tree, node, 'element') && !is(tree, above, 'rawElement');
    const isEnd = is(tree, node, 'endTag');
    if (!isElement && !isEnd) continue;
    const start = tree.start[node]!;
    const before = tree.text[start - 1];
    const wants = isElement || (before === '>' && holdsElements(tree, above));
    if (wants && before === '>') breaks.set(start, isEnd ? depth[node]! - 1 : depth[node]!);
  }
  const pieces: string[] = [];
  let position = 0;
  for (const [at, level] of [...breaks].sort((a, b) => a[0] - b[0])) {
    pieces.push(tree.text.slice(position, at), `\n${'  '.repeat(Math.max(0, level))}`);
    position = at;
  }
  return `${pieces.join('')}${tree.text.slice(position).trimEnd()}\n`;
}

function holdsElements(tree: FlatTree, node: number): boolean {
  for (let child = node + 1; child < tree.past[node]!; child++) if (is(tree, child, 'element')) return true;
  return false;
}
