import { isTagPart } from './delimiters.js';
import { isComment, isNamed, kindOf, type Outline, sizeOf, tongueOf } from './flat-tree.js';
import { mayVanish } from './parse-table.js';

/** A node that can be left out, with the separators that go with it. */
export interface Removal {
  readonly node: number;
  readonly start: number;
  readonly end: number;
  /** How many removals it lies in. */
  readonly level: number;
}

const partner = /^[()[\]{}"'`<>]|^(<\/|\/>|\$\{|#\{|begin|end|do|then|fi|done|esac)$/;
const separates = /^[,;|&+*/:.]$|^(&&|\|\||\?\?|and|or|::|\n)$/;

/** Every node that can be left out as far as the parse tables tell, in preorder. */
export function removals(outline: Outline): readonly Removal[] {
  let known = cache.get(outline);
  if (known === undefined) {
    known = findRemovals(outline);
    cache.set(outline, known);
  }
  return known;
}

const cache = new WeakMap<Outline, readonly Removal[]>();

function findRemovals(outline: Outline): readonly Removal[] {
  const found: Removal[] = [];
  const { count, parent } = outline;
  const level = new Uint16Array(count);
  const taken = new Uint8Array(count);
  const previous = previousSiblings(outline);
  for (let node = 1; node < count; node++) {
    const above = parent[node]!;
    level[node] = Math.min(0xfffe, level[above]! + taken[above]!);
    if (sizeOf(outline, node) === 0) continue;
    const run = removalOf(outline, node, previous[node]!);
    if (run === undefined) continue;
    taken[node] = 1;
    found.push({ node, start: run.start, end: run.end, level: level[node]! });
  }
  return found;
}

/** For every node the sibling before it; −1 for first children. */
export function previousSiblings(outline: Outline): Int32Array {
  const previous = new Int32Array(outline.count).fill(-1);
  for (let node = 0; node < outline.count; node++) {
    const next = outline.past[node]!;
    if (next < outline.count && outline.parent[next] === outline.parent[node]) previous[next] = node;
  }
  return previous;
}

function removalOf(outline: Outline, node: number, previous: number): { start: number; end: number } | undefined {
  const { start, end, past, parent, count, text } = outline;
  if (isComment(outline, node)) return { start: start[node]!, end: end[node]! };
  const above = parent[node]!;
  const isOnly = start[above] === start[node] && end[above] === end[node];
  if (isOnly && above !== 0) return undefined;
  const anonymous = !isNamed(outline, node);
  if (anonymous && (partner.test(text.slice(start[node], start[node]! + 6)) || outline.past[node] !== node + 1))
    return undefined;
  if (isTagPart(outline, node)) return undefined;
  const next = past[node]! < count && parent[past[node]!] === above ? past[node]! : -1;
  const before = previous >= 0 && isToken(outline, previous) ? previous : -1;
  const behind = next >= 0 && isToken(outline, next) ? next : -1;
  if (tongueOf(outline, node).expects === undefined) return looseRemoval(outline, node);
  const run = (first: number, last: number) =>
    mayVanish(outline, first, last) ? { start: start[first]!, end: end[last]! } : undefined;
  if (anonymous) {
    if (separates.test(text.slice(start[node], end[node]))) return undefined;
    return run(node, node);
  }
  const listed = isSeparator(outline, before) || isSeparator(outline, behind);
  if (listed) {
    // Every element but the first takes the separator before it, so that neighbours can go together.
    const inList =
      (isSeparator(outline, before) ? run(before, node) : undefined) ??
      (isSeparator(outline, behind) && !ends(outline, behind) ? run(node, behind) : undefined);
    if (inList !== undefined) return inList;
  }
  return (
    run(node, node) ??
    (before >= 0 && !opens(outline, before) ? run(before, node) : undefined) ??
    (behind >= 0 && !closes(outline, behind) && !ends(outline, behind) ? run(node, behind) : undefined)
  );
}

/** In a bracket tree an item goes with the comma before it where nothing of its list follows. */
function looseRemoval(outline: Outline, node: number): { start: number; end: number } {
  const { text } = outline;
  let start = outline.start[node]!;
  const end = outline.end[node]!;
  if (kindOf(outline, node) === 'item' && text[end - 1] !== ',' && text[end - 1] !== ';') {
    const closes = /^\s*[)\]}]/.test(text.slice(end, end + 20));
    const comma = /,\s*$/.exec(text.slice(Math.max(0, start - 20), start));
    if (closes && comma !== null) start -= comma[0].length;
  }
  return { start, end };
}

const isToken = (outline: Outline, node: number): boolean => !isNamed(outline, node) && outline.past[node] === node + 1;
const isSeparator = (outline: Outline, node: number): boolean =>
  node >= 0 &&
  separates.test(outline.text.slice(outline.start[node], Math.min(outline.end[node]!, outline.start[node]! + 6)));
/** The semicolon at the end of its parent: without it the rest would run into what follows. */
const ends = (outline: Outline, node: number): boolean =>
  outline.text[outline.start[node]!] === ';' && outline.end[outline.parent[node]!] === outline.end[node];
const opens = (outline: Outline, node: number): boolean =>
  /[([{"'`<]$/.test(outline.text.slice(outline.start[node], outline.end[node]));
const closes = (outline: Outline, node: number): boolean =>
  /^[)\]}"'`>]/.test(outline.text.slice(outline.start[node], outline.end[node]));
