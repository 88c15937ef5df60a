/**
 * What a new text has and an old one has not, and how to take it out: a condition, one side of it, a statement, or an item of a sequence. In a text that was
 * rewritten, old lines and old functions may not fit anywhere; but often one added condition is all that matters.
 */
import { addTo } from '../../core/lists.js';
import { pauseIfDue } from '../../core/pause.js';
import type { Span } from '../edit.js';
import { childAt, type FlatTree, fieldOf, is, isComment, isLeaf, isNamed, partsOf, textOf } from '../flat-tree.js';
import { isFunction } from '../functions.js';
import { cut, put } from '../text-cut.js';
import { addedCalls } from './added-calls.js';
import { type AlignedParts, alignParts } from './aligned-parts.js';
import { isStatement } from './lost-declarations.js';
import { matchedFunctions } from './matched-functions.js';
import { newNamesIn } from './new-names.js';
import type { Range } from './put-back.js';
import { withoutCondition } from './without-condition.js';

/** One way to take something out. */
export interface Addition extends Span {
  readonly kind: 'condition' | 'operand' | 'statement' | 'call';
  /** If this part of the text does not run, taking it out changes nothing. */
  readonly gone: Range;
  /** From 0 to 1: how little of it is anywhere in the old text. */
  readonly newness: number;
  /** The old text says nearly the same, but not in this function. */
  readonly isElsewhere: boolean;
  /** It is a statement of the file, and in no function: whatever the test does, it runs when the file is loaded. */
  readonly isLoaded: boolean;
  /**
   * More goes than what was added: a condition is decided, although old has another one there, or although old has the side that goes in the same function;
   * nothing behind it runs any more; or a function has no result. What a test looks at may be right then for no good reason.
   */
  readonly isForced: boolean;
}

interface Found extends Omit<Addition, 'newness' | 'isElsewhere' | 'isLoaded' | 'isForced'> {
  readonly kind: Exclude<Addition['kind'], 'call'>;
  readonly isCutOff?: boolean;
  /** The part of the tree that goes. */
  readonly dropped?: number;
}

/** `old`: undefined if the whole file is new. In the order of the new text. */
export async function additionsIn(old: FlatTree | undefined, now: FlatTree): Promise<readonly Addition[]> {
  const newnessOf = await comparedWith(old, now);
  const matched = old && (await matchedFunctions(old, now, []));
  const aligned = matched ? await alignParts(old, now, matched, await newNamesIn(old, now, matched)) : [];
  const here = addedParts(aligned);
  const changed = old ? changedBranches(old, aligned) : new Set();
  const hasOld = holdingKept(now, aligned);
  const found: Addition[] = [];
  const add = (additions: Iterable<Found>, node: number, part = node) => {
    const anywhere = newnessOf(node);
    for (const { isCutOff = false, dropped, ...each } of additions) {
      const isElsewhere = anywhere < leastNew[each.kind];
      const isLoaded = each.kind === 'statement' && !isInFunction(now, node);
      if (!isElsewhere || here.has(part)) {
        const isDecided = each.kind === 'condition' && changed.has(part);
        const isForced = isCutOff || isDecided || (dropped !== undefined && hasOld(dropped));
        found.push({ ...each, newness: anywhere, isElsewhere, isLoaded, isForced });
      }
    }
  };
  for (let node = 1; node < now.count; node++) {
    if (node % nodesAtOnce === 0) await pauseIfDue();
    if (!isNamed(now, node) || isComment(now, node)) continue;
    const condition = childAt(now, node, 'condition');
    if (condition !== undefined && childAt(now, node, 'consequence') !== undefined)
      add(
        [...withoutCondition(now, node)].map(each => ({ ...each, kind: 'condition' as const })),
        condition,
        node,
      );
    else if (isSimple(now, node)) add([withoutStatement(now, node)], node);
    else if (isInSequence(now, node)) add([withoutItem(now, node)], node);
    for (const { operand, ...each } of withoutOperand(now, node)) add([each], operand);
  }
  for (const parts of aligned) {
    await pauseIfDue();
    for (const { isInAdded, isInstead, ...each } of addedCalls(old, now, parts))
      found.push({ kind: 'call', newness: isInAdded ? unknown : 1, ...notAlone, isForced: isInstead, ...each });
  }
  return found;
}

function isInFunction(tree: FlatTree, node: number): boolean {
  let around = tree.parent[node]!;
  while (around > 0 && !isFunction(tree, around)) around = tree.parent[around]!;
  return around > 0;
}

/** The parts that a function of the new text has and the same function of the old one has not, although it may say the same elsewhere. */
function addedParts(aligned: readonly AlignedParts[]): ReadonlySet<number> {
  const added = new Set<number>();
  for (const { news, newOf } of aligned) {
    const kept = new Set(newOf.values());
    for (const { node } of news) if (!kept.has(node)) added.add(node);
  }
  return added;
}

/** Whether there is a part in a node of new that the same function of old has, too, in whatever form. */
function holdingKept(now: FlatTree, aligned: readonly AlignedParts[]): (node: number) => boolean {
  const kept = aligned.flatMap(({ newOf }) => [...newOf.values()]);
  const before = new Int32Array(now.count + 1);
  for (const node of kept) before[node + 1]!++;
  for (let node = 0; node < now.count; node++) before[node + 1]! += before[node]!;
  return node => before[now.past[node]!]! > before[node]!;
}

/** The branches of the new text that are branches of the old one, too. */
const changedBranches = (old: FlatTree, aligned: readonly AlignedParts[]): ReadonlySet<number> =>
  new Set(
    aligned.flatMap(({ newOf }) =>
      [...newOf].filter(([before]) => childAt(old, before, 'condition') !== undefined).map(([, after]) => after),
    ),
  );

/** How little of a part of the new text is in any part of the old one. A rewritten text has other names in all places, so rare words count more. */
export async function comparedWith(old: FlatTree | undefined, now: FlatTree): Promise<(node: number) => number> {
  const same = new Set<string>();
  const parts = new Map<string, number[]>();
  let count = 0;
  for (let node = 1; old && node < old.count; node++) {
    if (node % nodesAtOnce === 0) await pauseIfDue();
    if (!isNamed(old, node) || !(isStatement(old, node) || compared.has(fieldOf(old, node)))) continue;
    const tokens = tokensOf(old, node);
    if (!tokens) continue;
    same.add(tokens.join(' '));
    for (const token of new Set(tokens)) addTo(parts, token, count);
    count++;
  }
  const seen = new Map<string, number>();
  for (let leaf = 1; leaf < now.count; leaf++)
    if (isLeaf(now, leaf)) seen.set(bare(textOf(now, leaf)), (seen.get(bare(textOf(now, leaf))) ?? 0) + 1);
  return node => {
    const tokens = tokensOf(now, node);
    if (!tokens) return unknown;
    if (same.has(tokens.join(' '))) return 0;
    const common = new Map<number, number>();
    let [all, most] = [0, 0];
    for (const token of new Set(tokens)) {
      const weight = 1 / seen.get(token)!;
      all += weight;
      const here = parts.get(token) ?? [];
      // What is everywhere weighs nothing.
      for (const part of here.length > mostParts ? [] : here) {
        const sum = (common.get(part) ?? 0) + weight;
        common.set(part, sum);
        most = Math.max(most, sum);
      }
    }
    return 1 - most / all;
  };
}

/** Nodes that are looked at in a few milliseconds. */
const nodesAtOnce = 1_000;

const compared = new Set(['condition', 'left', 'right']);
const mostParts = 500;
const unknown = 0.5;

/** A statement of which old has the greater part was changed, and not added: without it, new would be neither. */
const leastNew: Readonly<Record<Found['kind'], number>> = { condition: 0.1, operand: 0.1, statement: 0.5 };

/** What is added to an expression is not compared with anything else. */
const notAlone = { isElsewhere: false, isLoaded: false, isForced: false };

/** A longer part is not compared. */
const mostTokens = 200;

/** A rewrite may have other rules for what is private: `_state` is `state`. */
const bare = (token: string): string => (token.startsWith('_') ? token.replace(/^_+(?=\p{L})/u, '') : token);

/** Undefined if there are too many. */
function tokensOf(tree: FlatTree, node: number): readonly string[] | undefined {
  const tokens: string[] = [];
  for (let leaf = node; leaf < tree.past[node]!; leaf++) {
    if (!isLeaf(tree, leaf) || isComment(tree, leaf)) continue;
    if (tokens.length === mostTokens) return undefined;
    tokens.push(bare(textOf(tree, leaf)));
  }
  return tokens;
}

/** A statement without others in it that does something, and declares nothing. */
function isSimple(tree: FlatTree, node: number): boolean {
  if (!is(tree, node, 'statement') || !isStatement(tree, node)) return false;
  if (
    ['importing', 'declarationWrapper', 'noStatement', 'statementList', 'body'].some(role =>
      is(tree, node, role as never),
    )
  )
    return false;
  for (let inner = node + 1; inner < tree.past[node]!; inner++)
    if (isNamed(tree, inner) && isStatement(tree, inner)) return false;
  return true;
}

/** The last statement of a function, which says what it returns: without it, nothing does. */
const isResult = (tree: FlatTree, node: number): boolean =>
  is(tree, node, 'return') &&
  partsOf(tree, node).length > 0 &&
  isFunction(tree, tree.parent[tree.parent[node]!]!) &&
  partsOf(tree, tree.parent[node]!).at(-1) === node;

function withoutStatement(tree: FlatTree, node: number): Found {
  const [start, end] = [tree.start[node]!, tree.end[node]!];
  const isCutOff = isResult(tree, node);
  return { kind: 'statement', gone: [start, end], dropped: node, isCutOff, ...cut(tree.text, start, end) };
}

/** A minifier makes one expression of many statements. */
const isInSequence = (tree: FlatTree, node: number): boolean =>
  is(tree, tree.parent[node]!, 'sequence') && !is(tree, node, 'sequence');

/** With the comma behind it; the last one with the comma before it. */
function withoutItem(tree: FlatTree, node: number): Found {
  const { text } = tree;
  const [start, end] = [tree.start[node]!, tree.end[node]!];
  const behind = /^\s*,\s*/.exec(text.slice(end, end + mostBlank));
  const before = behind ? undefined : /,\s*$/.exec(text.slice(Math.max(0, start - mostBlank), start));
  const span = { start: start - (before?.[0].length ?? 0), end: end + (behind?.[0].length ?? 0), text: '' };
  return { kind: 'statement', gone: [start, end], ...span };
}

/** White space around a comma. */
const mostBlank = 200;

const logical = /^(?:&&|\|\||\?\?|and|or)$/;

/** The operator of `a && b`; undefined if a node is no such condition. */
export function logicalOperatorOf(tree: FlatTree, node: number): string | undefined {
  const operator = childAt(tree, node, 'operator');
  const text = operator === undefined ? '' : textOf(tree, operator);
  return logical.test(text) ? text : undefined;
}

/** `a && b` without one of them. */
function* withoutOperand(tree: FlatTree, node: number): Generator<Found & { readonly operand: number }> {
  if (logicalOperatorOf(tree, node) === undefined) return;
  const [left, right] = [childAt(tree, node, 'left'), childAt(tree, node, 'right')];
  if (left === undefined || right === undefined) return;
  const gone = [tree.start[node]!, tree.end[node]!] as const;
  yield { kind: 'operand', operand: right, gone, ...put(tree.text, ...gone, textOf(tree, left)) };
  yield { kind: 'operand', operand: left, gone, ...put(tree.text, ...gone, textOf(tree, right)) };
}
