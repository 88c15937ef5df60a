/**
 * What an old text has and a new one has lost, and how to put it back: a statement, a member, an item, a branch, the guard around something, one side of a
 * condition, or the old form of what has changed, be it only a word of a text or a number. Each goes between the neighbours that both texts have, under the names of new, and with the declarations that it needs.
 */

import { greatestOf } from '../../core/lists.js';
import { pauseIfDue } from '../../core/pause.js';
import type { Span } from '../edit.js';
import { childAt, type FlatTree, is } from '../flat-tree.js';
import { comparedWith } from './additions.js';
import { type AlignedParts, alignParts, insideOf, isPart, siblingsOf } from './aligned-parts.js';
import { armsOf } from './arms.js';
import { changedExpressions } from './changed-expressions.js';
import { changedLiterals } from './changed-literals.js';
import { lostCalls } from './lost-calls.js';
import { declaredIn, isIdle, isStatement, needsOf, usageAround } from './lost-declarations.js';
import { lostOperands } from './lost-operands.js';
import { matchedFunctions } from './matched-functions.js';
import { nearestNames } from './nearest-names.js';
import { itself, newNamesIn, underNewNames, variablesIn } from './new-names.js';
import { isBetweenCommas, lineIndent, putAfter, putAround, putBefore, type Range, textFor } from './put-back.js';
import { tokensIn, variantOf } from './same-statements.js';

/** One way to put something back. */
export interface Restoration extends Span {
  readonly kind: 'changed' | 'expression' | 'literal' | 'call' | 'operand' | 'guard' | 'branch' | 'lost' | 'instead';
  /** Where it is in the old text: if that does not run, nothing changes. */
  readonly from: Range;
  /** From 0 to 1: how little of it is anywhere in the new text. */
  readonly lostness: number;
  /** How many parts the same function has lost. If there are many, it was written anew, and each of them says little. */
  readonly lostWithIt: number;
  /** It uses a name that new has nowhere. */
  readonly isForeign: boolean;
  /** It is a statement of the file, and in no function: whatever the test does, it runs when the file is loaded. */
  readonly isLoaded: boolean;
}

type Found = Omit<Restoration, 'lostness' | 'lostWithIt' | 'isForeign' | 'isLoaded'> & {
  readonly nodes: readonly number[];
  /** What new has lost, if that is more than what is put back. */
  readonly about?: number;
};

/** Both texts, and a function of them. */
interface Compared extends AlignedParts {
  readonly old: FlatTree;
  readonly now: FlatTree;
  /** The parts of new that old has too. */
  readonly kept: ReadonlySet<number>;
  /** Whether nothing depends on it at a place of new: it only declares what is not used there. */
  isIdle(part: number, near: number): boolean;
  /** Whether these parts of old use a name that new has nowhere. */
  isForeign(parts: readonly number[]): boolean;
  /** A part of the old text for the column of a part of the new one, with the declarations that it needs. */
  write(from: Range, near: number, nodes: readonly number[]): string;
}

/** In the order of the old text, for each function that both have. */
export async function restorationsIn(old: FlatTree, now: FlatTree): Promise<readonly Restoration[]> {
  const matched = await matchedFunctions(old, now, []);
  const newName = await newNamesIn(old, now, matched);
  await pauseIfDue();
  const surely = await newNamesIn(old, now, matched, 2);
  const lostnessOf = await comparedWith(now, old);
  const known = variablesIn(now);
  const isUsed = usageAround(now, known);
  const nearest = nearestNames(now, known);
  const found = new Map<string, Restoration>();
  const everywhere = (await alignParts(old, now, matched, newName)).map(aligned => ({
    aligned,
    ...declaredIn(old, now, aligned),
  }));
  for (const { aligned, renamed, lost: own } of everywhere) {
    // What is declared around a function is known in it, too.
    const [node] = aligned.pair;
    const around = everywhere.filter(({ aligned: { pair } }) => pair[0] < node && node < old.past[pair[0]]!);
    const lost = new Map([...around.flatMap(({ lost: outer }) => [...outer]), ...own]);
    // A variable that comes back with its declaration keeps its name.
    const rename = (name: string) => {
      if (renamed.has(name) || known.has(name)) return renamed.get(name);
      const other = surely(aligned.pair)(name);
      return lost.has(name) && other !== itself ? undefined : other;
    };
    const lostWithIt = aligned.olds.filter(({ node }) => !aligned.newOf.has(node)).length;
    const needs = needsOf(old, lost, name => known.has(rename(name) ?? name));
    const write: Compared['write'] = (from, near, nodes) => {
      const all = [...needs(from, nodes).declarations.map(node => rangeOf(old, node)), from];
      const indent = lineIndent(now.text, now.start[near]!);
      const text = all.map(range => textFor(old, range, now, near)).join(`\n${indent}`);
      return underNewNames(nearest(text, near), rename);
    };
    for (const { nodes, about, ...each } of inFunction({
      ...aligned,
      old,
      now,
      kept: new Set(aligned.newOf.values()),
      isForeign: nodes => needs(rangeOf(old, nodes[0]!, nodes.at(-1)!), nodes).isForeign,
      isIdle: (part, near) => isIdle(old, part, name => isUsed(near, rename(name) ?? name)),
      write,
    })) {
      await pauseIfDue();
      const lostness = greatestOf((about === undefined ? nodes : [about]).map(lostnessOf));
      if (lostness === 0 && !['changed', 'expression', 'call', 'operand'].includes(each.kind)) continue;
      const key = `${each.start} ${each.end} ${each.text}`;
      if (found.has(key)) continue;
      const isLoaded = aligned.pair[0] === 0 && nodes.every(node => isStatement(old, node));
      const { isForeign } = needs(each.from, nodes);
      // A name that new has nowhere is no better than the one that is there; and what a file declares was written anew for other reasons.
      if (each.kind === 'expression' && (isForeign || aligned.pair[0] === 0)) continue;
      found.set(key, { ...each, lostness, lostWithIt, isForeign, isLoaded });
    }
  }
  for (const { node, ...span } of changedLiterals(old, now, [[0, 0], ...matched.named])) {
    const key = `${span.start} ${span.end} ${span.text}`;
    const rest = { lostness: lostnessOf(node), lostWithIt: 1, isForeign: false, isLoaded: false };
    if ([undefined, 'expression'].includes(found.get(key)?.kind))
      found.set(key, { ...span, ...rest, kind: 'literal', from: rangeOf(old, node) });
  }
  return [...found.values()];
}

/** What one function has lost. */
function* inFunction(compared: Compared): Generator<Found> {
  const { olds, news, newOf } = compared;
  const ownOf = new Map(news.map(({ node, own }) => [node, own]));
  for (const { node, own } of olds) {
    const same = newOf.get(node);
    if (same === undefined) {
      const around = [...guarded(compared, node)];
      yield* around.length > 0 ? around : lostFrom(compared, node);
      const variant = variantOf(compared.old, compared, { node, own });
      if (variant !== undefined) yield* changed(compared, node, variant);
      continue;
    }
    yield* lostArms(compared, node, same);
    const now = ownOf.get(same) ?? [];
    if (own.join(' ') === now.join(' ')) continue;
    yield* changed(compared, node, same);
    const write = (from: Range, inside: number) => compared.write(from, same, [inside]);
    for (const { node: call, ...each } of lostCalls({ ...compared, write }, [node, same], { old: own, new: now }))
      yield { kind: 'call', nodes: [call], ...each };
    for (const { node: operand, ...each } of lostOperands({ ...compared, write }, [node, same]))
      yield { kind: 'operand', nodes: [operand], ...each };
    for (const { node: expression, ...each } of changedExpressions({ ...compared, write }, [node, same]))
      yield { kind: 'expression', nodes: [expression], ...each };
  }
}

const rangeOf = (tree: FlatTree, first: number, last = first): Range => [tree.start[first]!, tree.end[last]!];

/** The old form of a part; of one with others in it, only what is before them. */
function* changed({ old, now, write }: Compared, before: number, after: number): Generator<Found> {
  const [a, b] = [insideOf(old, before), insideOf(now, after)];
  if ((a === undefined) !== (b === undefined)) return;
  // A member of a class is no statement.
  if (isStatement(old, before) !== isStatement(now, after)) return;
  const from: Range = [old.start[before]!, a === undefined ? old.end[before]! : old.start[a]!];
  const [start, end] = [now.start[after]!, b === undefined ? now.end[after]! : now.start[b]!];
  const text = write(from, after, [before]);
  // Only comments and style differ.
  if (tokensIn(old, before, a ?? old.past[before]!) === tokensIn(now, after, b ?? now.past[after]!)) return;
  if (text !== now.text.slice(start, end)) yield { kind: 'changed', from, nodes: [before], start, end, text };
}

/** A lost part around others that are still there: only what is around them is put back. */
function* guarded({ old, now, newOf, write }: Compared, guard: number): Generator<Found> {
  const list = insideOf(old, guard);
  if (list === undefined) return;
  const inside = isPart(old, list) ? [list] : partsIn(old, list);
  const still = inside.filter(part => newOf.has(part));
  const news = still.map(part => newOf.get(part)!);
  const [first, last] = [still[0], still.at(-1)];
  if (first === undefined || last === undefined || !areTogether(now, news)) return;
  const from: Range = [old.start[guard]!, old.start[first]!];
  const header = write(from, news[0]!, [guard]).trimEnd();
  const tail = textFor(old, [old.end[last]!, old.end[guard]!], now, news[0]!).trim();
  yield { kind: 'guard', from, nodes: [guard], ...putAround(now, [news[0]!, news.at(-1)!], header, tail) };
}

const partsIn = (tree: FlatTree, list: number): readonly number[] => {
  const first = list + 1 < tree.past[list]! ? list + 1 : undefined;
  if (first === undefined) return [];
  return siblingsOf(tree, first);
};

/** Whether parts of new are neighbours. */
function areTogether(now: FlatTree, parts: readonly number[]): boolean {
  const siblings = siblingsOf(now, parts[0]!);
  const at = siblings.indexOf(parts[0]!);
  return at >= 0 && parts.every((part, i) => siblings[at + i] === part);
}

/** A lost part, and all lost parts from it on: between the neighbours that are still there, or in the place of what new has between them. */
function* lostFrom(compared: Compared, part: number): Generator<Found> {
  const { old, now, newOf, listOf, kept, isIdle, write } = compared;
  const siblings = siblingsOf(old, part);
  const at = siblings.indexOf(part);
  const isLost = (i: number) => i >= 0 && i < siblings.length && !newOf.has(siblings[i]!);
  const runs: (readonly number[])[] = [[part]];
  if (!isLost(at - 1) && isLost(at + 1)) {
    let past = at + 1;
    while (isLost(past)) past++;
    runs.push(siblings.slice(at, past));
  }
  const inside = withoutForeignGuard(compared, part);
  if (inside.length > 0) runs.push(inside);
  const before = siblings.slice(0, at).findLast(each => newOf.has(each));
  const after = siblings.slice(at).find(each => newOf.has(each));
  const list = before === undefined && after === undefined ? listOf(old.parent[part]!) : undefined;
  const near = newOf.get(before ?? after ?? -1) ?? (list === undefined ? undefined : partsIn(now, list)[0]);
  if (near === undefined) return;
  const withComma = isBetweenCommas(old, part);
  for (const run of runs.filter(each => !each.every(node => isIdle(node, near)))) {
    const from = rangeOf(old, run[0]!, run.at(-1)!);
    const text = write(from, near, run);
    const common = { from, nodes: run, ...(run === inside ? { about: part } : {}) };
    yield { ...common, kind: 'lost', ...(before === undefined ? putBefore : putAfter)(now, near, text, withComma) };
    // What new has here and old has not.
    const others = siblingsOf(now, near);
    const place = others.indexOf(near);
    const behind = others.slice(list === undefined ? place + 1 : place);
    const added = before === undefined && list === undefined ? others.slice(0, place).reverse() : behind;
    const until = added.findIndex(each => kept.has(each));
    const gap = (until < 0 ? added : added.slice(0, until)).sort((a, b) => a - b);
    if (gap.length === 0 || gap.length > mostReplaced) continue;
    const [start, end] = rangeOf(now, gap[0]!, gap.at(-1)!);
    yield { ...common, kind: 'instead', start, end, text: write(from, gap[0]!, run) };
  }
}

/** What is in a lost part whose condition uses a name that new has nowhere: an option that is gone, say. What it did can still be done. */
function withoutForeignGuard({ old, newOf, isForeign }: Compared, part: number): readonly number[] {
  const list = insideOf(old, part);
  if (list === undefined || childAt(old, part, 'condition') === undefined) return [];
  const inside = isStatement(old, list) && !is(old, list, 'body') ? [list] : partsIn(old, list);
  const isOwn = inside.length > 0 && inside.every(each => !newOf.has(each));
  return isOwn && isForeign([part]) && !isForeign(inside) ? inside : [];
}

/** More parts of new than this were not written in the place of a few old ones. */
const mostReplaced = 8;

/** Branches that a condition had. */
function* lostArms({ old, now, write }: Compared, before: number, after: number): Generator<Found> {
  const [olds, news] = [armsOf(old, before), armsOf(now, after)];
  if (olds.length === 0 || news.length === 0 || olds.length <= news.length) return;
  const said = new Map(news.map(arm => [arm.condition, arm]));
  for (const [i, arm] of olds.entries()) {
    if (i === 0 || said.has(arm.condition)) continue;
    const behind = said.get(olds[i - 1]!.condition) ?? news.at(-1)!;
    const from: Range = [olds[i - 1]!.end, arm.end];
    const text = write(from, after, [arm.node]);
    yield { kind: 'branch', from, nodes: [arm.node], start: behind.end, end: behind.end, text };
  }
}
