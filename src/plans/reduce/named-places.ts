/** The lines that a failure names, with what they use, before anything else is tried. */
import { inTurn } from '../../circumstances/in-turn.js';
import type { Circumstance } from '../../core/index.js';
import { pauseIfDue } from '../../engine/index.js';
import type { NamedPlace } from '../../oracle/signature/index.js';
import { type Edit, editing } from '../../reductions/edits.js';
import { sliceOf } from '../../reductions/sliced.js';
import { outlineUnits } from '../../reductions/text/outline-units.js';
import type { Structure } from '../../reductions/tree/index.js';
import { offsetsOf } from '../../syntax/line-markers.js';
import { disjoint } from '../../syntax/text-cut.js';
import type { Pass } from '../pass.js';
import { alone, bothAtOnce, smallText } from './large-text.js';

/** A file, and what the failure of the first run names, once it is known. */
export interface NamedFile {
  readonly path: string;
  /** The lines that are named are those of the original, so it is asked only about that. */
  readonly original: string;
  readonly named: () => readonly NamedPlace[];
}

type Around = (text: string, places: readonly number[]) => Promise<Circumstance<string> | undefined>;

const first = (name: string, { path, original, named }: NamedFile, around: Around): Pass<string> => ({
  name,
  early: true,
  leads: true,
  afterFirstRun: true,
  over(text, _, place = alone(text)) {
    if (text !== original || place.whole > text.length || text.length <= smallText) return undefined;
    const offsetsIn = offsetsOf(text, path);
    const places = named().flatMap(({ file, line }) => offsetsIn(file, line));
    return places.length === 0 ? undefined : around(text, places);
  },
  strategy: () => bothAtOnce,
});

/** Lines that the failure names, with what they use. */
export const namedPlaces = (file: NamedFile, structure: Structure): Pass<string> =>
  first('named places', file, (text, places) => structure.sliceAround(text, places));

/** The same without a grammar: parts of the outline. */
export const namedParts = (file: NamedFile): Pass<string> =>
  first('named places', file, async (text, places) =>
    // The first unit is the text itself.
    sliceOf({ text, units: await outlineUnits(text), fixed: [0] }, places),
  );

/** The same, if what other functions do does not matter: their bodies name most of what the rest of the text declares. */
export const namedBodies = (file: NamedFile, structure: Structure): Pass<string> =>
  first('named places, other bodies empty', file, async (text, places) => {
    const isElsewhere = ({ spans }: Edit): boolean =>
      spans.every(({ start, end }) => !places.some(each => start <= each && each < end));
    const spans = disjoint((await structure.bodies.edits(text)).filter(isElsewhere).flatMap(each => each.spans));
    await pauseIfDue();
    if (spans.length === 0) return undefined;
    const emptied = editing('body', text, [{ spans }]);
    const moved = places.map(each =>
      spans.reduce((at, { start, end, text: put }) => (end <= each ? at + put.length - (end - start) : at), each),
    );
    const slice = await structure.sliceAround(emptied.build([])!, moved);
    return slice && inTurn(emptied, slice);
  });
