/** The passes of `reduce` over one file: structure first, then lines, tokens and characters. */
import { blocks } from '../../circumstances/blocks.js';
import { blankLines, characters, lines, tokens } from '../../circumstances/text.js';
import { decode } from '../../core/decode.js';
import type { Configuration, Strategy } from '../../core/index.js';
import { pauseIfDue } from '../../engine/index.js';
import type { NamedPlace } from '../../oracle/signature/index.js';
import { type Edit, editing, gainOf } from '../../reductions/edits.js';
import { groupEdits, wholeParts } from '../../reductions/text/coarse.js';
import { pairs } from '../../reductions/text/pairs.js';
import { hasRepeatedWords, repeatedWords } from '../../reductions/text/repeated-words.js';
import { quotedRuns, runs, stretches } from '../../reductions/text/stretches.js';
import {
  type Guard,
  guardOf,
  languageNamed,
  languageOf,
  requireLanguage,
  type Structure,
  structureOf,
  type TextPass,
} from '../../reductions/tree/index.js';
import { ddlin, type SweepOptions, sweep } from '../../strategies/index.js';
import { offsetsOf } from '../../syntax/line-markers.js';
import type { Pass, Place } from '../pass.js';
import { denseShare } from '../searching-pass.js';

export type Level = 'lexical' | 'syntactic' | 'semantic';

export interface ReduceOptions {
  readonly level?: Level;
  readonly by?: 'line' | 'token' | 'char' | 'byte' | 'node';
  readonly language?: string;
  readonly grammar?: string;
  readonly keep?: RegExp;
  readonly rename?: boolean;
  /** What the first run's failure names, once it is known. */
  readonly named?: () => readonly NamedPlace[];
}

/** The passes for a text without a file; the language is given by its name or file extension. */
export async function passesIn(
  language: string,
  text: string,
  options: Pick<ReduceOptions, 'level'>,
): Promise<readonly Pass<string>[]> {
  const { name, extensions } = languageNamed(language) ?? languageOf(`text.${language}`) ?? requireLanguage(language);
  const path = `text.${extensions[0] ?? 'txt'}`;
  const passes = await textPasses(path, Buffer.from(text), { ...options, language: name });
  const guard = await guardOf(path, text, structureOptions({ ...options, language: name }));
  return guard ? passes.map(pass => guarded(pass, guard)) : passes;
}

/** The pass without candidates that break a promise of the level: they count as unresolved, and no test is run. */
const guarded = (pass: Pass<string>, isSound: Guard): Pass<string> => ({
  ...pass,
  async over(text, rough) {
    const inner = await pass.over(text, rough);
    if (!inner) return undefined;
    return {
      ...inner,
      build(configuration) {
        const candidate = inner.build(configuration);
        return candidate === undefined || isSound(candidate) ? candidate : undefined;
      },
    };
  },
});

/** The passes for one file: by its structure, then by its letters. */
export async function textPasses(
  path: string,
  bytes: Uint8Array,
  options: ReduceOptions,
): Promise<readonly Pass<string>[]> {
  const { encoding } = decode(bytes);
  const binary = encoding === 'latin1' || bytes.includes(0);
  const letters = binary ? { ...lexical.character, name: 'bytes', proves: 'byte' } : lexical.character;
  switch (options.by) {
    case 'line':
      return [lexical.line];
    case 'token':
      return [lexical.token];
    case 'char':
    case 'byte':
      return [letters];
    default:
  }
  const structure =
    options.level === 'lexical' || binary ? undefined : await structureOf(path, structureOptions(options));
  if (options.by === 'node') return structure ? treePasses(structure) : [lexical.line];
  if (!structure || structure.syntax.grammar === undefined) {
    // Without a grammar, letters find as much as brackets, with fewer tests. Brackets only help after letters have finished.
    const brackets = structure && languageOf(path) ? treePasses(structure) : structure ? bandPasses(structure) : [];
    const names = structure && !binary && options.rename !== false ? [word] : [];
    const clauses = structure && !binary ? [languageOf(path) ? clause : unknownClause] : [];
    const signs = structure && !binary ? [pair(false)] : [];
    const found = [
      ...(binary ? [halvesOfLines] : [blocksOfLarge, halvesOfLines, blankLinesOfLarge]),
      lexical.line,
      ...brackets,
      ...(binary ? [] : [lexical.token]),
      binary || !structure ? letters : afterTokens(letters, true),
      ...signs,
      ...names,
      ...clauses,
      shell,
    ];
    // Letters alone find much by removing neighbours together in later rounds; brackets find that in other ways.
    return structure ? found.map(skippingRefused) : found;
  }
  const line: Pass<string> = {
    ...lexical.line,
    rough: roughText,
    over: (text, rough) => (rough ? undefined : lines(text)),
  };
  const names = structure.language.markup && options.rename !== false ? [word] : [];
  const late = [
    ...(binary ? [] : [lexical.token, pair(true)]),
    afterTokens(letters, false),
    ...names,
    quoted,
    shell,
  ].map(pass => ({
    ...pass,
    late: true,
    dense: true,
  }));
  const named = options.named ? [namedPlaces(structure, path, decode(bytes).text, options.named)] : [];
  return [...named, ...treePasses(structure), ...[line, ...late].map(skippingRefused)];
}

/** Tokens are asked one at a time, and the others remove neighbours together. */
const skippingRefused = (pass: Pass<string>): Pass<string> => ({
  skipsRefused: pass.name === lexical.token.name ? 'always' : 'after the first round',
  ...pass,
});

export const structureOptions = ({ level, language, grammar, keep, rename }: ReduceOptions) => ({
  ...(level === 'semantic' || level === 'syntactic' ? { level } : {}),
  ...(language === undefined ? {} : { language }),
  ...(grammar === undefined ? {} : { grammar }),
  ...(keep === undefined ? {} : { keep }),
  ...(rename === undefined ? {} : { rename }),
});

type ListStrategy = Strategy<unknown, Configuration>;

const characterSweep = (thorough: boolean, more: Pick<SweepOptions, 'expected' | 'wholeLanes'> = {}): ListStrategy => {
  const options = { lanes: 8, ...more };
  return sweep(thorough ? options : { ...options, prove: false, patience: 64 }) as unknown as ListStrategy;
};

const lexical: Readonly<Record<'line' | 'token' | 'character', Pass<string>>> = {
  line: { name: 'lines', proves: 'line', stable: true, over: lines },
  token: { name: 'tokens', proves: 'token', over: tokens },
  character: {
    name: 'characters',
    proves: 'character',
    stable: true,
    over: characters,
    // Letters rarely depend on earlier letters, so trying many ranges at once keeps all workers busy at little cost.
    strategy: (_, thorough) => characterSweep(thorough),
  },
};

/** Characters after tokens: whatever is left of a token is nearly always needed as it is. */
const afterTokens = (letters: Pass<string>, wholeLanes: boolean): Pass<string> => ({
  ...letters,
  dense: true,
  strategy: ({ count }, thorough) => characterSweep(thorough, { expected: count * denseShare, wholeLanes }),
});

/** The number of ranges grows with the square of the length. */
const fewCharacters = 12;

/** The last resort for a short text. One cut is tried at a time, because two at once would usually overlap. */
const shell: Pass<string> = {
  name: 'stretches',
  lastResort: true,
  over: text => (text.length > 1 && text.length <= fewCharacters ? stretches(text) : undefined),
  strategy: () => ddlin() as unknown as ListStrategy,
};

/**
 * Removes two brackets and keeps what is between them. If there is a grammar, it covers all brackets except where it cannot
 * parse.
 */
const pair = (empty: boolean): Pass<string> => ({ name: 'pairs', late: true, over: text => pairs(text, empty) });

/** Names, if no grammar says which words are names. */
const word: Pass<string> = { name: 'short word', late: true, over: repeatedWords };

/** For clauses: neither a bracket nor a line, and their words cannot be removed one at a time. */
const clause: Pass<string> = { name: 'runs of tokens', lastResort: true, over: runs };
const quoted: Pass<string> = { name: 'runs in quotes', lastResort: true, over: quotedRuns };
const unknownClause: Pass<string> = {
  ...clause,
  over(text) {
    const found = runs(text);
    return found && hasRepeatedWords(text) ? found : undefined;
  },
};

/** Passes that try nearly every node of a text wait until it is this small. */
export const smallText = 20_000;

/** How many levels of nodes are walked together, and by how much the next band goes deeper. */
const bandHeight = 3;
const bandStep = 2;
const bands = 12;

function bandPasses(structure: Structure): readonly Pass<string>[] {
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

function treePasses(structure: Structure): readonly Pass<string>[] {
  const large = structure.band(0, Number.POSITIVE_INFINITY);
  const byPlace = { ...slicesOfLarge('halves', structure, 'place'), strategy: () => halvesOnly };
  // The back half is needed more often: by name, it is kept with what it uses.
  const byName = { ...slicesOfLarge('slices', structure, 'name'), strategy: () => frontHalvesOnly };
  return [
    ...structure.first.filter(({ name }) => name !== keepSubtreeName).map(muchAtOnce),
    ...(structure.language.checksNames ? [byName, byPlace] : [byPlace, byName]),
    { ...slicesOfLarge('slices one by one', structure, 'name'), isPriced: true, isHalved: true },
    halvesOfNodes(large),
    ...structure.first.map(pass => ({
      ...skippingRefused(inLargestFile(byEdits(pass.name, pass, false))),
      opens: true,
    })),
    blankLinesOfLarge,
    // What is last uses what is before it: as long as it is as it was, a slice contains nearly everything.
    largeParts('end', structure.end),
    { ...slicesOfLarge('slices without the end', structure, 'name'), isPriced: true },
    largeParts('bodies', structure.bodies),
    largeParts('large parts', large),
    ...bandPasses(structure),
    { name: 'blank lines', over: blankLines },
    ...structure.coarse.map(pass => skippingRefused(byEdits(pass.name, pass))),
    ...[...structure.fine, ...structure.tokens].map(pass => ({
      ...byEdits(pass.name, pass),
      ...(structure.coupled.has(pass) ? {} : { skipsRefused: 'always' as const }),
      largest: smallText,
      // It rarely makes anything smaller by itself, and all other passes must run again on its result.
      ...(pass.name === 'merged name' ? { late: true } : {}),
    })),
  ];
}

/** Lines that the failure names, with what they use. The lines are those of the original, so it is asked only about that. */
const namedPlaces = (
  structure: Structure,
  path: string,
  original: string,
  named: () => readonly NamedPlace[],
): Pass<string> => ({
  name: 'named places',
  early: true,
  afterFirstRun: true,
  over(text, _, place = alone(text)) {
    if (text !== original || place.whole > text.length || text.length <= smallText) return undefined;
    const offsetsIn = offsetsOf(text, path);
    const places = named().flatMap(({ file, line }) => offsetsIn(file, line));
    return places.length === 0 ? undefined : structure.sliceAround(text, places);
  },
  strategy: () => bothAtOnce,
});

const keepSubtreeName = 'keep one subtree';

/** If comments, or words of a dialect, are this part of a large text, they go before its halves: nearly all of them can. */
const muchShare = 4;

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

/** A rough search of a text larger than this only tries edits that remove at least one part in `roughness`. */
const roughText = 4_000;
const roughness = 256;
const endRoughness = 16;

/** What large parts leave behind, before lines are counted as parts. */
const blankLinesOfLarge: Pass<string> = {
  name: 'blank lines of a large text',
  early: true,
  over: (text, _, place = alone(text)) => (place.whole > roughText ? blankLines(text) : undefined),
};

export const halvesOnly = sweep({ prove: false, patience: 0, halves: true }) as unknown as ListStrategy;
/** For two deltas: both are removed, or else the second. */
export const bothAtOnce = sweep({ prove: false, patience: 2, wholeLanes: true }) as unknown as ListStrategy;
const frontHalvesOnly = sweep({ prove: false, patience: 0, halves: 'front' }) as unknown as ListStrategy;

/** A walk from the end of a large text gets nowhere if the cause is there: everything before it goes first, by halves. */
const halvesOfLines: Pass<string> = {
  name: 'halves of lines',
  early: true,
  over: text => (text.length > smallText ? lines(text) : undefined),
  strategy: () => halvesOnly,
};

/**
 * Neighbouring declarations. By name only in a text by itself: what a file of a folder declares, the others may use.
 */
const slicesOfLarge = (name: string, structure: Structure, by: 'name' | 'place'): Pass<string> => ({
  name,
  early: true,
  over(text, _, place = alone(text)) {
    if (place.whole <= (by === 'place' ? roughText : smallText)) return undefined;
    if (by === 'name' && place.whole > text.length) return undefined;
    return structure.slices(text, { by, leastAt: leastNearEnd(text, place) });
  },
});

/** Half of the lines is half of a subprogram too. Blocks are whole, so most of them can be removed. */
const blocksOfLarge: Pass<string> = {
  name: 'blocks',
  early: true,
  isPriced: true,
  over: text => (text.length > smallText ? blocks(text) : undefined),
};

/** A cause at the end of a large text would be reduced to its last detail before the text around it is removed. */
function largeParts(name: string, pass: TextPass): Pass<string> {
  return {
    name,
    early: true,
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

const startOf = (edit: Edit): number => edit.spans[0]!.start;
const isWorthIt = (leastAt: (start: number) => number) => (edit: Edit) => gainOf(edit) >= leastAt(startOf(edit));

const alone = (text: string): Place => ({ whole: text.length, behind: 0 });

/**
 * How much an edit at the end of a text must remove. What is last uses the most of what is before it, so it is cut into the
 * smallest parts.
 */
const leastNearEnd = (text: string, { whole, behind }: Place): ((start: number) => number) => {
  const least = whole / roughness;
  return start => Math.min(least, Math.max(1, (text.length - start + behind) / endRoughness));
};

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
