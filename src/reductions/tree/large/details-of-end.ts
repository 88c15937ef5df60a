/** Edits of the end of a large program, by how much of what is before it they make superfluous. */
import { all, type Circumstance, type Configuration, deltasOf, minus, of } from '../../../core/index.js';
import { addAll } from '../../../core/lists.js';
import { pauseIfDue } from '../../../core/pause.js';
import { type FlatTree, is } from '../../../syntax/flat-tree.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { cut } from '../../../syntax/text-cut.js';
import { wordsIn } from '../../../syntax/units/unit-names.js';
import { type Unit, unitsOf } from '../../../syntax/units/units.js';
import { breaksUses, unusedWithout } from '../../../syntax/units/unused-units.js';
import { type Edit, editing, gainOf } from '../../edits.js';
import type { TextPass } from '../pass.js';
import { identified, isWhole, type Program, programOf } from './end-program.js';

/** An edit that removes less than one part in this many of the whole text waits until the text is small. */
const leastGain = 512;

/**
 * A failure needs a few places of the end. An edit that removes much of it probably removes one of them, whatever it gains; what
 * is left out because nothing uses it counts less.
 */
const fewNeeded = 3;

/** If expressions are changed, types rarely fit. Without a statement, or with another one in its place, they usually do. */
const moreOfStatements = 4;

/** Of edits that leave the same words, the first ones say enough. */
const mostAlike = 2;

/**
 * The edits of the end as deltas, the most promising last: those that remove little of the end and much of what is before it. What only the edited part used is left out too, in the end
 * and before it. How much that is follows from the names, without a test: one word of `f(x, g(y))` may be all that keeps half of a library.
 */
export async function detailsOfEnd(
  syntax: Syntax,
  text: string,
  passes: readonly TextPass[],
): Promise<Circumstance<string> | undefined> {
  const program = await programOf(syntax.language, text);
  if (!program?.isUsed) return undefined;
  const { end } = program;
  const tree = await syntax.bareTree(end);
  const units = await unitsOf(tree, Number.POSITIVE_INFINITY, 'all');
  const isOfStatements = editsOfStatements(tree);
  const edits: Edit[] = [];
  for (const pass of passes) addAll(edits, await pass.edits(end));
  const inner = editingWithUnused(end, edits, units);
  const isBroken = breaksUses(end, units);
  const unknown = program.reach.unknownIn(end);
  const endWithout = (i: number): string => inner.build(minus(all(edits.length), [i, i + 1]))!;
  /** Whether a name means nothing any more. That is known without a test. */
  const isMeaningless = (i: number): boolean =>
    isBroken(edits[i]!.spans) || [...program.reach.unknownIn(endWithout(i))].some(each => !unknown.has(each));
  const { gains, left, needs } = await gainsOf(program, inner, edits.length);
  const worth = edits.map(
    (edit, i) =>
      gains[i]! *
      left[i]! *
      (1 - gainOf(edit) / end.length) ** fewNeeded *
      (isOfStatements(edit) ? moreOfStatements : 1),
  );
  // What removes more than half is asked for as parts of the end.
  const isWorthIt = (i: number): boolean =>
    gains[i]! * leastGain >= text.length && gainOf(edits[i]!) * 2 <= end.length && !isMeaningless(i);
  const seen = new Map<string, number>();
  const isNew = (i: number): boolean => {
    const before = seen.get(needs[i]!) ?? 0;
    seen.set(needs[i]!, before + 1);
    return before < mostAlike;
  };
  const inOrder = [...edits.keys()]
    .filter(isWorthIt)
    .sort((a, b) => worth[b]! - worth[a]! || b - a)
    .filter(isNew)
    .reverse();
  if (inOrder.length === 0) return undefined;
  /** The edits of `inner` that are not made. */
  const toInner = (configuration: Configuration): Configuration => {
    const made = [...deltasOf(minus(all(inOrder.length), configuration))].map(delta => inOrder[delta]!);
    return minus(all(edits.length), of(made.sort((a, b) => a - b)));
  };
  return {
    name: 'detail',
    count: inOrder.length,
    weights: inOrder.map(i => gains[i]!),
    ...program.built(configuration => {
      if (isWhole(configuration, inOrder.length)) return {};
      const left = toInner(configuration);
      const reached = program.rounds(inner.build(left)!)?.at(-1);
      return reached && { before: program.withBodies(reached, 'or declared'), end: { inner, configuration: left } };
    }),
    describe: delta => `${edits[inOrder[delta]!]!.label ?? 'a part'} of the end, with what only it uses`,
    identify: delta => identified(text, 'end', endWithout(inOrder[delta]!)),
  };
}

/** Whether an edit removes statements or declarations, or replaces one by another that is in it. */
function editsOfStatements(tree: FlatTree): (edit: Edit) => boolean {
  const nodes = [...Array(tree.count).keys()].filter(node => is(tree, node, 'listed'));
  return ({ spans }) => {
    const [start, end] = [spans[0]!.start, spans.at(-1)!.end];
    const isBlank = (from: number, to: number): boolean => tree.text.slice(from, to).trim() === '';
    const begins = (node: number): boolean =>
      start <= tree.start[node]! && isBlank(start, tree.start[node]!) && end <= tree.end[node]!;
    if (nodes.some(node => begins(node) && isBlank(end, tree.end[node]!) && spans.length === 1)) return true;
    // What is left begins behind the first span, and is all of a statement.
    const isLeft = (node: number): boolean =>
      isBlank(spans[0]!.end, tree.start[node]!) && (spans.length === 1 || spans[1]!.start >= tree.end[node]!);
    return spans.every(({ text }) => text.trim() === '') && nodes.some(isLeft) && nodes.some(begins);
  };
}

/** The edits of a text; units that were used, and are not used by what is left, are left out with them. */
function editingWithUnused(text: string, edits: readonly Edit[], units: readonly Unit[]): Circumstance<string> {
  const whole = editing('end', text, [
    ...edits,
    ...units.map(({ from, end }): Edit => ({ spans: [cut(text, from, end)] })),
  ]);
  const findUnused = unusedWithout(text, units);
  const withUnused = (configuration: Configuration): Configuration => {
    const made = [...deltasOf(minus(all(edits.length), configuration))];
    const unused = findUnused(made.flatMap(i => edits[i]!.spans));
    return minus(all(whole.count), of([...made, ...unused.map(unit => edits.length + unit)]));
  };
  return {
    name: whole.name,
    count: edits.length,
    build: configuration => whole.build(withUnused(configuration)),
    trace: configuration => whole.trace!(withUnused(configuration)),
  };
}

/** By edit: how many characters it removes, with what only it used; how much of the end is left, and which words it has. */
async function gainsOf(program: Program, inner: Circumstance<string>, count: number) {
  const known = new Map<string, number>();
  const wordsOf = (end: string): string => wordsIn(end).toSorted().join(' ');
  const sizeOf = (end: string): number => {
    // The same words need the same declarations.
    const words = wordsOf(end);
    let size = known.get(words);
    if (size === undefined) {
      const reached = program.rounds(end)?.at(-1);
      known.set(words, (size = reached ? program.sizeBefore(reached) : Number.POSITIVE_INFINITY));
    }
    return size + end.length;
  };
  const before = sizeOf(program.end);
  const gains: number[] = [];
  const left: number[] = [];
  const needs: string[] = [];
  for (let i = 0; i < count; i++) {
    const end = inner.build(minus(all(count), [i, i + 1]))!;
    gains.push(before - sizeOf(end));
    left.push(end.length / program.end.length);
    needs.push(wordsOf(end));
    await pauseIfDue();
  }
  return { gains, left, needs };
}
