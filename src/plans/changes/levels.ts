/** One level of the changes, and how it maps onto the next. */
import type { Change, Changes } from '../../circumstances/changes/changes.js';
import { enclosing } from '../../circumstances/changes/functions.js';
import type { Dependencies } from '../../circumstances/changes/needs.js';
import type { Part } from '../../circumstances/changes/parts.js';
import type { Artifact } from '../../core/artifact.js';
import { type Circumstance, type Configuration, deltasOf, of } from '../../core/index.js';
import type { Grouping } from '../../strategies/cutting.js';

/** The changes at one level of the hierarchy, and how the level above maps onto it. */
export interface Level {
  /** One of them, in the singular. */
  readonly name: string;
  /** What is proven when the search at this level is done, where it has a name that people know. */
  readonly proves?: string;
  readonly circumstance: Circumstance<Artifact>;
  /** Which of them mostly belong together, the coarsest grouping first: few candidates are wasted on halves of one thing. */
  readonly groupings?: readonly Grouping[];
  /** Groups that the proof takes out as a whole too. */
  readonly proven?: Grouping;
  /** Which of them can't be applied without which others, as far as their names tell. */
  readonly dependencies?: Dependencies;
  /** What a configuration of the level above is at this one. */
  inside(above: Configuration): Configuration;
  /** The changes themselves, for people. */
  changes(configuration: Configuration): readonly Change[];
  /** What is proven of these without a look at the level below, because there is nothing to take apart in them. */
  settles?(configuration: Configuration): string | undefined;
}

const chosenOf = (changes: Changes, chosen: Configuration): readonly Change[] =>
  [...deltasOf(chosen)].map(delta => changes.changes[delta]!);

/** A level whose deltas are the changes themselves. */
export const levelOf = (changes: Changes, name: string, inside: Level['inside']): Level => ({
  name,
  proves: name,
  circumstance: changes,
  inside,
  changes: chosen => chosenOf(changes, chosen),
  settles: chosen => (name === 'hunk' && chosenOf(changes, chosen).every(isOneLine) ? 'line' : undefined),
});

const isOneLine = ({ kind, parts }: Change): boolean =>
  kind === 'hunk' && parts.every(({ oldCount, newCount }) => Math.max(oldCount, newCount) === 1);

/** Lines between two hunks that a diff with three lines of context shows as one. */
const near = 6;

/** Hunks that an ordinary diff shows as one: what stands so close together was mostly written together. */
export function places(changes: Changes): Grouping {
  const groups: number[][] = [];
  for (const [delta, change] of changes.changes.entries()) {
    const before = changes.changes[delta - 1];
    const [a, b] = [before?.parts.at(-1), change.parts[0]];
    const joined =
      a !== undefined &&
      b !== undefined &&
      before?.kind === 'hunk' &&
      change.kind === 'hunk' &&
      a.file === b.file &&
      b.oldStart - a.oldStart - a.oldCount <= near;
    if (joined) groups.at(-1)!.push(delta);
    else groups.push([delta]);
  }
  return groups;
}

/** Files, then the functions in them, then places. */
export function groupingsOf(changes: Changes): readonly Grouping[] {
  const fileOf = (delta: number): string => String(changes.changes[delta]!.parts[0]?.file ?? `change ${delta}`);
  const near = places(changes);
  const placeOf = new Map(near.flatMap((members, place) => members.map(delta => [delta, place] as const)));
  /** A place is in the function that its first hunk is in, so that no place is in two. */
  const functionOf = (delta: number): string => {
    const [first] = near[placeOf.get(delta)!]!;
    const part = changes.changes[first!]!.parts[0];
    if (part === undefined || changes.changes[first!]!.kind !== 'hunk') return `change ${delta}`;
    const { oldLines, newLines } = changes.files[part.file]!;
    const around = part.newCount > 0 ? enclosing(newLines, part.newStart) : enclosing(oldLines, part.oldStart);
    return around ? `${part.file} ${around.name}` : `place ${placeOf.get(delta)}`;
  };
  const deltas = [...changes.changes.keys()];
  return [gather(deltas, fileOf), gather(deltas, functionOf), near];
}

function gather(deltas: readonly number[], nameOf: (delta: number) => string): Grouping {
  const groups = new Map<string, number[]>();
  for (const delta of deltas) {
    const name = nameOf(delta);
    const known = groups.get(name);
    if (known) known.push(delta);
    else groups.set(name, [delta]);
  }
  return [...groups.values()];
}

/** The lines that each hunk is made of. Something that happens to a file as a whole is one change at both levels. */
export function linesOf(hunks: Changes, lines: Changes): (hunks: Configuration) => Configuration {
  const byFile = new Map<number, number[]>();
  for (const [delta, { parts }] of lines.changes.entries())
    for (const { file } of parts) {
      const known = byFile.get(file);
      if (known) known.push(delta);
      else byFile.set(file, [delta]);
    }
  const covers = (hunk: number, line: number): boolean =>
    hunks.changes[hunk]!.parts.some(outer => holds(outer, lines.changes[line]!.parts[0]!));
  const known = new Map<number, readonly number[]>();
  const inHunk = (hunk: number): readonly number[] => {
    const files = new Set(hunks.changes[hunk]!.parts.map(({ file }) => file));
    const found =
      known.get(hunk) ?? [...files].flatMap(file => byFile.get(file) ?? []).filter(line => covers(hunk, line));
    known.set(hunk, found);
    return found;
  };
  return chosen => of([...deltasOf(chosen)].flatMap(hunk => inHunk(hunk)));
}

/** Whether a part of a coarser level is made of this one, among others. */
export const holds = (outer: Part, inner: Part): boolean =>
  outer.file === inner.file &&
  (inner.kind === 'line' || inner.kind === 'hunk'
    ? outer.kind === 'add' || within(outer, inner)
    : outer.kind === inner.kind);

const within = (outer: Part, inner: Part): boolean =>
  (outer.kind === 'line' || outer.kind === 'hunk') &&
  inner.oldStart >= outer.oldStart &&
  inner.oldStart + inner.oldCount <= outer.oldStart + outer.oldCount &&
  inner.newStart >= outer.newStart &&
  inner.newStart + inner.newCount <= outer.newStart + outer.newCount;
