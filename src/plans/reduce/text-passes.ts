/** The passes of `reduce` over one file: structure first, then lines, tokens and characters. */
import { bytes as bytesOf, characters, lines, tokens } from '../../circumstances/text.js';
import { decode, isBinary } from '../../core/decode.js';
import type { NamedPlace } from '../../oracle/signature/index.js';
import { type DataReductions, dataReductions } from '../../reductions/data/index.js';
import { countedItems } from '../../reductions/text/counted.js';
import { numberedLines } from '../../reductions/text/numbered-lines.js';
import { pairs } from '../../reductions/text/pairs.js';
import { hasRepeatedWords, repeatedWords } from '../../reductions/text/repeated-words.js';
import { quotedRuns, runs, stretches } from '../../reductions/text/stretches.js';
import { tableColumns } from '../../reductions/text/table.js';
import { wordBlocks } from '../../reductions/text/word-blocks.js';
import {
  type Guard,
  guardOf,
  languageNamed,
  languageOf,
  requireLanguage,
  structureOf,
} from '../../reductions/tree/index.js';
import { ddlin, type SweepOptions, sweep } from '../../strategies/index.js';
import type { Pass } from '../pass.js';
import { briefPatience } from '../schedule.js';
import { denseShare } from '../searching-pass.js';
import {
  allAtOnce,
  blankLinesOfLarge,
  blocksOfLarge,
  halvesOfLines,
  type ListStrategy,
  roughText,
  skippingRefused,
  tokensName,
} from './large-text.js';
import { namedBodies, namedParts, namedPlaces } from './named-places.js';
import { outlineOfLarge, partsOfOutline } from './outline-passes.js';
import { bandPasses, columns, numberedFirst, treePasses } from './tree-passes.js';
import { withoutUnused } from './without-unused.js';

export type Level = 'lexical' | 'syntactic' | 'semantic';

export interface ReduceOptions {
  readonly level?: Level;
  readonly by?: 'line' | 'token' | 'char' | 'byte' | 'node';
  readonly language?: string;
  readonly grammar?: string;
  readonly keep?: RegExp;
  readonly rename?: boolean;
  /** Whether code may become what it computed in a run (default). */
  readonly values?: boolean;
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
  const binary = isBinary(bytes);
  const inData = dataReductions(bytes);
  const letters = binary ? data : lexical.character;
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
  const { named: places } = options;
  const namedFiles = places && !binary ? [{ path, original: decode(bytes).text, named: places }] : [];
  const structure =
    options.level === 'lexical' || binary ? undefined : await structureOf(path, structureOptions(options));
  if (options.by === 'node') return structure ? treePasses(structure) : [lexical.line];
  if (!structure || structure.syntax.grammar === undefined) {
    // Without a grammar, letters find as much as brackets, with fewer tests. Brackets only help after letters have finished.
    const brackets = structure && languageOf(path) ? treePasses(structure) : structure ? bandPasses(structure) : [];
    const names = structure && !binary && options.rename !== false ? [word] : [];
    const clauses = structure && !binary ? [languageOf(path) ? clause : unknownClause] : [];
    const signs = structure && !binary ? [pair(false), wordBlock] : [];
    const found = [
      ...(binary
        ? [...recordsFirst(inData), halvesOfLines, ...records(inData)]
        : [
            ...numbered.map(numberedFirst),
            ...namedFiles.map(namedParts),
            countedFirst,
            blocksOfLarge,
            ...(structure ? outlineOfLarge : []),
            halvesOfLines,
            blankLinesOfLarge,
            counted,
            ...numbered,
          ]),
      ...(binary || !structure ? [] : [partsOfOutline]),
      lexical.line,
      ...(binary ? [] : [table]),
      ...(structure && !binary ? [columns(structure)] : []),
      ...brackets,
      ...(binary ? [] : [lexical.token]),
      binary || !structure ? letters : afterTokens(letters, false),
      ...(binary ? [zero(inData)] : []),
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
    afterTokens(letters, true),
    ...names,
    quoted,
    shell,
  ].map(pass => ({
    ...pass,
    late: true,
    dense: true,
  }));
  const named = namedFiles.flatMap(file => [namedPlaces(file, structure), namedBodies(file, structure)]);
  const passes = [...named, ...treePasses(structure), ...[line, ...late].map(skippingRefused)];
  const { refusedIfUnused } = structure.language;
  return refusedIfUnused ? passes.map(pass => withoutUnused(pass, refusedIfUnused)) : passes;
}

export const structureOptions = ({ level, language, grammar, keep, rename }: ReduceOptions) => ({
  ...(level === 'semantic' || level === 'syntactic' ? { level } : {}),
  ...(language === undefined ? {} : { language }),
  ...(grammar === undefined ? {} : { grammar }),
  ...(keep === undefined ? {} : { keep }),
  ...(rename === undefined ? {} : { rename }),
});

const characterSweep = (
  thorough: boolean,
  { patience = 64, ...more }: Pick<SweepOptions, 'expected' | 'wholeLanes' | 'patience'> = {},
): ListStrategy => {
  const options = { lanes: 8, ...more };
  return sweep(thorough ? options : { ...options, prove: false, patience }) as unknown as ListStrategy;
};

const lexical: Readonly<Record<'line' | 'token' | 'character', Pass<string>>> = {
  line: { name: 'lines', proves: 'line', stable: true, over: lines },
  token: { name: tokensName, proves: 'token', over: tokens },
  character: {
    name: 'characters',
    proves: 'character',
    stable: true,
    over: characters,
    // Letters rarely depend on earlier letters, so trying many ranges at once keeps all workers busy at little cost.
    strategy: (_, thorough) => characterSweep(thorough),
  },
};

/** What is left of a run of equal bytes is cut in other places, so it was not searched as it is. */
const data: Pass<string> = { ...lexical.character, name: 'bytes', proves: 'byte', stable: false, over: bytesOf };

/**
 * Characters after tokens: whatever is left of a token is nearly always needed as it is. If a grammar knows the tokens, they are given up soon, and left to the proof.
 */
const afterTokens = (letters: Pass<string>, hasGrammar: boolean): Pass<string> => ({
  ...letters,
  dense: true,
  strategy: ({ count }, thorough) => {
    const most = hasGrammar ? { patience: briefPatience } : { wholeLanes: true };
    return characterSweep(thorough, { expected: count * denseShare, ...most });
  },
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

/** Lines that begin and end a block, which only go together. */
const wordBlock: Pass<string> = { name: 'word blocks', late: true, over: wordBlocks };

/** Bytes of data that cannot be removed, because what comes after them would be in another place. */
const zero = ({ zeros }: DataReductions): Pass<string> => ({ name: 'zeros', late: true, over: zeros });

/** Parts of data that say how long they are. */
const records = ({ records, bytes }: DataReductions): readonly Pass<string>[] => [
  { name: 'records', over: records },
  { name: 'bytes of records', over: bytes },
];
/** Before halves, as counted items are. */
const recordsFirst = (inData: DataReductions): readonly Pass<string>[] =>
  records(inData).map(pass => ({ ...pass, name: `${pass.name} first`, early: true, leads: true, strategy: allAtOnce }));

/** Items whose number is written in front of them. */
const counted: Pass<string> = { name: 'counted items', over: countedItems };
/** Before halves: what is cut off would leave numbers that count something else. */
const countedFirst: Pass<string> = { ...counted, name: 'counted items first', early: true, leads: true };

/** Items that others name by their number. Which number the first one has cannot always be seen. */
const numbered: readonly Pass<string>[] = [
  { name: 'items numbered from 0', over: text => numberedLines(text, 0) },
  { name: 'items numbered from 1', over: text => numberedLines(text, 1) },
];

/** The columns of a table. */
const table: Pass<string> = { name: 'columns of a table', over: tableColumns };

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
