/** The passes over the tree of one file: what is named, halves and slices of a large text, then its nodes level by level. */
import { blankLines } from '../../circumstances/text.js';
import { pauseIfDue } from '../../engine/index.js';
import { type Edit, editing, gainOf } from '../../reductions/edits.js';
import { groupEdits, wholeParts } from '../../reductions/text/coarse.js';
import type { Structure, TextPass } from '../../reductions/tree/index.js';
import { sweep } from '../../strategies/index.js';
import type { Pass } from '../pass.js';
import { usesOfEnd } from './end-passes.js';
import {
  alone,
  blankLinesOfLarge,
  frontHalvesOnly,
  halvesOnly,
  isWorthIt,
  type ListStrategy,
  leastNearEnd,
  roughness,
  roughText,
  skippingRefused,
  smallText,
  whileItHelps,
} from './large-text.js';

export function treePasses(structure: Structure): readonly Pass<string>[] {
  const large = structure.band(0, Number.POSITIVE_INFINITY);
  const givesWay = hasCalls(structure);
  const byPlace = { ...slicesOfLarge('halves', structure, 'place'), strategy: () => halvesOnly };
  // The back half is needed more often: by name, it is kept with what it uses.
  const byName = { ...slicesOfLarge('slices', structure, 'name'), strategy: () => frontHalvesOnly };
  const numbered: Pass<string> = { name: 'numbered items', over: text => structure.numberedItems(text) };
  return [
    numberedFirst(numbered),
    ...(structure.language.checksNames ? usesOfEnd(structure) : []),
    ...structure.first.filter(({ name }) => name !== keepSubtreeName).map(muchAtOnce),
    ...(structure.language.checksNames ? [byName, byPlace] : [byPlace, byName]),
    { ...slicesOfLarge('slices one by one', structure, 'name'), isPriced: true, isHalved: true },
    halvesOfNodes(large),
    { ...largeParts('lines without structure', structure.unreadableLines), strategy: () => whileItHelps },
    ...structure.first.map(pass => ({
      ...skippingRefused(inLargestFile(byEdits(pass.name, pass, false))),
      opens: true,
      // Without the function at which it starts, no part of a program can be executed.
      ...(pass.name === keepSubtreeName && structure.language.entry !== undefined ? { isForReaders: true } : {}),
    })),
    blankLinesOfLarge,
    // What is last uses what is before it: as long as it is as it was, a slice contains nearly everything.
    largeParts('end', structure.end),
    { ...slicesOfLarge('slices without the end', structure, 'name'), isPriced: true },
    largeParts(bodiesName, structure.bodies),
    largeParts('large parts', large),
    // What is in a wide row would be refused item by item.
    { ...columns(structure, wide), name: 'columns of wide rows' },
    ...bandPasses(structure).map(pass => ({ ...pass, givesWay })),
    { name: 'blank lines', over: blankLines },
    columns(structure),
    numbered,
    ...structure.coarse.map(pass => ({ ...skippingRefused(byEdits(pass.name, pass)), givesWay })),
    ...[...structure.fine, ...structure.tokens].map(pass => ({
      ...byEdits(pass.name, pass),
      givesWay,
      ...(structure.coupled.has(pass) ? {} : { skipsRefused: 'always' as const }),
      largest: smallText,
      // It rarely makes anything smaller by itself, and all other passes must run again on its result.
      ...(pass.name === 'merged name' ? { late: true } : {}),
    })),
  ];
}

/** The name of the pass that empties functions. */
export const bodiesName = 'bodies';

/** Calls are inlined and values put in their places, and what would be refused node by node goes with them. */
const hasCalls = ({ coupled, language, syntax }: Structure): boolean =>
  coupled.size > 0 && syntax.grammar?.kinds.some(kind => language.kinds.call.test(kind)) === true;

/** How many levels of nodes are walked together, and by how much the next band goes deeper. */
const bandHeight = 3;
const bandStep = 2;
const bands = 12;

export function bandPasses(structure: Structure): readonly Pass<string>[] {
  const band = (i: number): Pass<string> => {
    const from = bandStep * i;
    const to = from + bandHeight;
    const pass = byEdits(`nodes at depth ${from}–${to}`, structure.band(from, to));
    return {
      ...pass,
      skipsRefused: 'after the first round',
      over: async (text, rough) => ((await structure.levels(text)) > from ? pass.over(text, rough) : undefined),
    };
  };
  return Array.from({ length: bands }, (_, i) => band(i));
}

/** What has to agree with something else can only go together with it, so it is tried before each part of it becomes smaller. */
export const columns = (structure: Structure, leastItems = 1): Pass<string> => ({
  name: 'columns',
  ignoresWhitespace: true,
  over: text => structure.columns(text, leastItems),
});
const wide = 8;

/** Half of a graph can go with all that names it, but half of its nodes cannot. */
export const numberedFirst = (pass: Pass<string>): Pass<string> => ({
  ...pass,
  name: `${pass.name} first`,
  early: true,
  leads: true,
  strategy: () => whileItHelps,
});

const keepSubtreeName = 'keep one subtree';

/** If comments, or words of a dialect, are this part of a large text, they go before its halves: nearly all of them can. */
const muchShare = 8;

/** All edits of a pass in one question, if they remove much. What is refused is asked for again after the halves. */
const muchAtOnce = (pass: TextPass): Pass<string> => ({
  name: `much of it: ${pass.name}`,
  early: true,
  async over(text, _, place = alone(text)) {
    if (place.whole <= roughText) return undefined;
    const edits = await pass.edits(text);
    await pauseIfDue();
    const gain = edits.reduce((sum, edit) => sum + gainOf(edit), 0);
    return gain * muchShare < text.length ? undefined : editing(pass.name, text, edits);
  },
  strategy: () => sweep({ prove: false, patience: 1 }) as unknown as ListStrategy,
});

/** In a large folder, one part of a file is too little to be all that is kept of it; comments of all files are one question. */
const inLargestFile = (pass: Pass<string>): Pass<string> => ({
  ...pass,
  over: (text, rough, place = alone(text)) =>
    pass.name === keepSubtreeName && place.whole > smallText && text.length * 2 < place.whole
      ? undefined
      : pass.over(text, rough, place),
});

/**
 * Neighbouring declarations. By name only in a text by itself: what a file of a folder declares, the others may use.
 */
const slicesOfLarge = (name: string, structure: Structure, by: 'name' | 'place'): Pass<string> => ({
  name,
  early: true,
  givesWay: true,
  over(text, _, place = alone(text)) {
    if (place.whole <= (by === 'place' ? roughText : smallText)) return undefined;
    if (by === 'name' && place.whole > text.length) return undefined;
    return structure.slices(text, { by, leastAt: leastNearEnd(text, place) });
  },
});

/** A cause at the end of a large text would be reduced to its last detail before the text around it is removed. */
function largeParts(name: string, pass: TextPass): Pass<string> {
  return {
    name,
    early: true,
    givesWay: true,
    async over(text, _, place = alone(text)) {
      if (place.whole <= (pass.name === 'node' ? roughText : smallText)) return undefined;
      const all = await pass.edits(text, place.whole);
      await pauseIfDue();
      const leastAt = pass.name === 'node' ? () => place.whole / roughness : leastNearEnd(text, place);
      const edits = pass.name === 'end' ? all.filter(isWorthIt(leastAt)) : groupEdits(all, leastAt);
      return edits.length === 0 ? undefined : editing(pass.name, text, edits);
    },
  };
}

/** What is larger than this part of the text is taken apart before it is halved. */
const largestShare = 8;

const halvesOfNodes = (pass: TextPass): Pass<string> => ({
  name: 'halves of nodes',
  early: true,
  async over(text, _, place = alone(text)) {
    if (place.whole <= roughText) return undefined;
    const edits = groupEdits(await pass.edits(text, place.whole), () => place.whole / roughness);
    await pauseIfDue();
    const parts = wholeParts(edits, text.length / largestShare);
    return parts.length < 2 ? undefined : editing(pass.name, text, parts);
  },
  strategy: () => halvesOnly,
});

function byEdits(name: string, pass: TextPass, mayBeRough = true): Pass<string> {
  return {
    name,
    ...(pass.name === 'node' ? { proves: 'node' } : {}),
    ...(mayBeRough ? { rough: roughText } : {}),
    ...(pass.name === 'space' ? {} : { ignoresWhitespace: true }),
    async over(text, rough, place = alone(text)) {
      const all = await pass.edits(text, place.whole);
      await pauseIfDue();
      const leastAt = () => place.whole / roughness;
      const large = (): readonly Edit[] =>
        pass.name === 'node' ? groupEdits(all, leastAt) : all.filter(isWorthIt(leastAt));
      const edits = rough ? large() : all;
      return edits.length === 0 ? undefined : editing(pass.name, text, edits);
    },
  };
}
