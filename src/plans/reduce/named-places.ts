/** The lines that a failure names, with what they use, before anything else is tried. */
import { inTurn } from '../../circumstances/in-turn.js';
import { pauseIfDue } from '../../engine/index.js';
import type { NamedPlace } from '../../oracle/signature/index.js';
import { type Edit, editing } from '../../reductions/edits.js';
import type { Structure } from '../../reductions/tree/index.js';
import { offsetsOf } from '../../syntax/line-markers.js';
import { disjoint } from '../../syntax/text-cut.js';
import type { Pass } from '../pass.js';
import { alone, bothAtOnce, smallText } from './large-text.js';

/** Lines that the failure names, with what they use. The lines are those of the original, so it is asked only about that. */
export const namedPlaces = (
  structure: Structure,
  path: string,
  original: string,
  named: () => readonly NamedPlace[],
): Pass<string> => ({
  name: 'named places',
  early: true,
  leads: true,
  afterFirstRun: true,
  over(text, _, place = alone(text)) {
    if (text !== original || place.whole > text.length || text.length <= smallText) return undefined;
    const offsetsIn = offsetsOf(text, path);
    const places = named().flatMap(({ file, line }) => offsetsIn(file, line));
    return places.length === 0 ? undefined : structure.sliceAround(text, places);
  },
  strategy: () => bothAtOnce,
});

/** The same, if what other functions do does not matter: their bodies name most of what the rest of the text declares. */
export const namedBodies = (
  structure: Structure,
  path: string,
  original: string,
  named: () => readonly NamedPlace[],
): Pass<string> => ({
  name: 'named places, other bodies empty',
  early: true,
  leads: true,
  afterFirstRun: true,
  async over(text, _, place = alone(text)) {
    if (text !== original || place.whole > text.length || text.length <= smallText) return undefined;
    const offsetsIn = offsetsOf(text, path);
    const places = named().flatMap(({ file, line }) => offsetsIn(file, line));
    if (places.length === 0) return undefined;
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
  },
  strategy: () => bothAtOnce,
});
