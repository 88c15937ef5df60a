/** The passes over the outline of a text without a grammar: slices, and whole parts. */
import { editing } from '../../reductions/edits.js';
import { slicesOf } from '../../reductions/sliced.js';
import { groupEdits } from '../../reductions/text/coarse.js';
import { outlineEdits } from '../../reductions/text/outline-edits.js';
import { outlineUnits } from '../../reductions/text/outline-units.js';
import type { Pass } from '../pass.js';
import { alone, frontHalvesOnly, leastNearEnd, roughness, roughText, smallText } from './large-text.js';

/** The first unit is the text itself. */
const fixed = [0];

/** One part in so many must use another one. */
const leastShare = 16;

/** Neighbouring parts, each group with what it uses. */
const slices: Pass<string> = {
  name: 'slices',
  early: true,
  givesWay: true,
  async over(text, _, place = alone(text)) {
    if (place.whole > text.length || text.length <= smallText) return undefined;
    const units = await outlineUnits(text);
    // A list of data, or prose.
    if (units.filter(({ mentions }) => mentions.length > 0).length * leastShare < units.length) return undefined;
    return slicesOf({ text, units, fixed, by: 'name' }, leastNearEnd(text, place));
  },
};

/** Whole parts, inner ones first: none of their lines may be removable without the others. */
const parts = (name: string, isEarly: boolean): Pass<string> => ({
  name,
  ...(isEarly ? { early: true, isPriced: true } : { rough: roughText }),
  async over(text, rough, place = alone(text)) {
    if (isEarly && place.whole <= smallText) return undefined;
    // Later, single lines are left to the pass over lines.
    const edits = await outlineEdits(text, isEarly ? 1 : 2);
    const some = isEarly || rough ? groupEdits(edits, () => place.whole / roughness) : edits;
    return some.length === 0 ? undefined : editing('part', text, some);
  },
});

export const outlineOfLarge: readonly Pass<string>[] = [
  { ...slices, strategy: () => frontHalvesOnly },
  { ...slices, name: 'slices one by one', isPriced: true, isHalved: true },
  parts('large parts', true),
];

export const partsOfOutline: Pass<string> = parts('parts', false);
