/** One level of the changes, and how it maps onto the next. */

import type { Change, Changes } from '../../../circumstances/changes/changes.js';
import { isLongPair } from '../../../circumstances/changes/columns.js';
import { functionAround } from '../../../circumstances/changes/functions.js';
import { inertIn } from '../../../circumstances/changes/inert.js';
import type { Dependencies } from '../../../circumstances/changes/needs/needs.js';
import type { Artifact } from '../../../core/artifact.js';
import { type Circumstance, type Configuration, deltasOf } from '../../../core/index.js';
import { addTo } from '../../../core/lists.js';
import type { Grouping } from '../../../strategies/cutting.js';
import type { Lacks } from './missing.js';
import type { Checked } from './reject-syntax-errors.js';

/** The changes at one level of the hierarchy, and how the level above maps onto it. */
export interface Level {
  /** One of them, in the singular. */
  readonly name: string;
  /** What is proven when the search at this level is done, if that has a familiar name. */
  readonly proves?: string;
  readonly circumstance: Circumstance<Artifact>;
  /** Which of them mostly belong together, the coarsest grouping first: few candidates are wasted on halves of one thing. */
  readonly groupings?: readonly Grouping[];
  /** Those that affect only blank lines and comments. */
  readonly inert?: Configuration;
  /** Groups that the proof also removes as a whole. */
  readonly proven?: readonly Grouping[];
  /** Which of them can't be applied without which others, as far as their names show. */
  readonly dependencies?: Dependencies;
  /** Whether a candidate uses a name without its definition, which an earlier test was missing. */
  readonly lacks?: Lacks;
  /** Where the syntax error is because of which a candidate can't be built. */
  readonly syntaxErrorIn?: Checked['syntaxErrorIn'];
  /** What a configuration of the level above is at this one. */
  inside(above: Configuration): Configuration;
  /** The changes themselves, for people. */
  changes(configuration: Configuration): readonly Change[];
  /** What is proven about these without the level below, because there is nothing to split in them. */
  settles?(configuration: Configuration): string | undefined;
  /** Opens one more level if some of these have to be cut to be readable. */
  cuts?(configuration: Configuration): OpenLevel | undefined;
  /** The level above had few changes, and each of these is a small part of one: so it is worth asking about many of them. */
  readonly isCutFromFew?: boolean;
}

/** Opens the next level. `chosen`: what the level above blames or takes back, in its own numbers. */
export type OpenLevel = (chosen: Configuration, signal?: AbortSignal) => Promise<Level>;

const chosenOf = (changes: Changes, chosen: Configuration): readonly Change[] =>
  [...deltasOf(chosen)].map(delta => changes.changes[delta]!);

/** A level whose deltas are the changes themselves. */
export const levelOf = (changes: Changes, name: string, inside: Level['inside']): Level => ({
  name,
  proves: name,
  circumstance: changes,
  inert: inertIn(changes),
  inside,
  changes: chosen => chosenOf(changes, chosen),
  settles: chosen =>
    name === 'hunk' && chosenOf(changes, chosen).every(change => isOneLine(change, changes)) ? 'line' : undefined,
});

/** A long line is not the end: it may be cut further. */
const isOneLine = ({ kind, parts }: Change, { files }: Changes): boolean =>
  kind === 'hunk' &&
  parts.every(part => Math.max(part.oldCount, part.newCount) === 1 && !isLongPair(part, files[part.file]!));

/** Lines between two hunks that a diff with three lines of context shows as one. */
const near = 6;

/** Hunks of one function that an ordinary diff shows as one: changes this close were usually made together. */
function places(changes: Changes, functionOf: (delta: number) => string | undefined): Grouping {
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
      // Without this, the hunks of a file that was edited all over would all be one place.
      functionOf(delta - 1) === functionOf(delta) &&
      b.oldStart - a.oldStart - a.oldCount <= near;
    if (joined) groups.at(-1)!.push(delta);
    else groups.push([delta]);
  }
  return groups;
}

/** Files, then the functions in them, then places. */
export function groupingsOf(changes: Changes): readonly Grouping[] {
  const deltas = [...changes.changes.keys()];
  const functions = deltas.map(delta => functionAround(changes, delta));
  const near = places(changes, delta => functions[delta]);
  const placeOf = new Map(near.flatMap((members, place) => members.map(delta => [delta, place] as const)));
  const fileOf = (delta: number): string => String(changes.changes[delta]!.parts[0]?.file ?? `change ${delta}`);
  return [
    gather(deltas, fileOf),
    gather(deltas, delta => `${fileOf(delta)} ${functions[delta] ?? `place ${placeOf.get(delta)}`}`),
    near,
  ];
}

function gather(deltas: readonly number[], nameOf: (delta: number) => string): Grouping {
  const groups = new Map<string, number[]>();
  for (const delta of deltas) addTo(groups, nameOf(delta), delta);
  return [...groups.values()];
}
