/**
 * The files that start a program: what they ask for decides how much of the others runs. A library of 170 KB of which a script of one line uses
 * everything can't get smaller before the script does, so a small script is reduced first, to its last detail, and then the program is run with
 * coverage again.
 */
import { type FilePart, inFiles } from '../../circumstances/files.js';
import { tokens } from '../../circumstances/text.js';
import { type Artifact, bytesOf } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import type { Circumstance } from '../../core/index.js';
import { leastOf } from '../../core/lists.js';
import { isPage, scriptsIn } from '../../oracle/coverage/index.js';
import { editing } from '../../reductions/edits.js';
import { importsIn } from '../../reductions/text/imports.js';
import { structureOf, type TextPass } from '../../reductions/tree/index.js';
import { sweep } from '../../strategies/index.js';
import type { Pass } from '../pass.js';
import { briefPatience, hastyPatience } from '../schedule.js';
import { type ListStrategy, smallText } from './large-text.js';
import { type ReduceOptions, structureOptions } from './text-passes.js';

/** Files that start a program are this small a part of it, or they are the program. */
const smallShare = 8;

interface Place {
  readonly start: number;
  readonly end: number;
}

/** What is known of the last run with coverage. */
export interface LastRun {
  /** The files that it loaded as code; none if the artifact is not what is executed. */
  readonly loaded: ReadonlySet<string>;
  /** The texts of the files that started it. */
  readonly entries: string;
  /** How large the program was then. */
  readonly bytes: number;
  /** The artifact in which values were seen since then. */
  readonly valued?: string;
}

/**
 * The files that were loaded, and that no file imports, if they are small. A program may load others by names that it computes: what starts it is mostly
 * not deeper in the folder than these.
 */
export function entriesIn(artifact: Artifact, loaded: ReadonlySet<string>): readonly string[] {
  const whole = bytesOf(artifact);
  if (whole <= smallText) return [];
  const pages = [...loaded].filter(path => isPage(path) && smallScripts(textAt(artifact, path)).length > 0);
  if (loaded.size < 2) return pages;
  const imported = new Set([...importsIn(artifact)].flatMap(([path, others]) => (loaded.has(path) ? others : [])));
  const found = [...loaded].filter(path => {
    const entry = artifact.files.get(path);
    return entry?.kind === 'file' && !isPage(path) && isSmall(entry.bytes.length, whole) && !imported.has(path);
  });
  const least = leastOf(found.map(depthOf));
  return [...pages, ...found.filter(path => depthOf(path) === least)];
}

const depthOf = (path: string): number => path.split('/').length;

const isSmall = (size: number, whole: number): boolean => size * smallShare < whole && size <= smallText;

/** What a page does with its libraries is in scripts of its own. */
const smallScripts = (page: string): readonly Place[] =>
  scriptsIn(page).flatMap(({ start, text }) =>
    text.trim() !== '' && isSmall(text.length, page.length) ? [{ start, end: start + text.length }] : [],
  );

/** The part of a file that starts the program: all of it, or the small scripts of a page. */
export const isInStart = (path: string, text: string): ((place: Place) => boolean) => {
  if (!isPage(path)) return () => true;
  const scripts = smallScripts(text);
  return ({ start, end }) => scripts.some(script => script.start <= start && end <= script.end);
};

/** What these files say, to notice that it has changed. */
export const textsOf = (artifact: Artifact, paths: readonly string[]): string =>
  paths.map(path => `${path}\0${startOf(path, textAt(artifact, path))}`).join('\0');

const startOf = (path: string, text: string): string =>
  isPage(path)
    ? smallScripts(text)
        .map(({ start, end }) => text.slice(start, end))
        .join('\0')
    : text;

const textAt = (artifact: Artifact, path: string): string => {
  const entry = artifact.files.get(path);
  return entry?.kind === 'file' ? decode(entry.bytes).text : '';
};

/**
 * The first of them: a statement of such a file is a few bytes, and may be all that runs half of a library. So they go as soon as it is known
 * what runs, before anything is asked about the library.
 */
export const entryStatements = (options: ReduceOptions, last: () => LastRun): Pass<Artifact> =>
  entryPass('statements of what starts it', last, async (path, text) => {
    const structure = await structureOf(path, structureOptions(options));
    return editsOf(path, structure.statements, text);
  });

/** The passes over the details of these files: by their structure, by the brackets in their strings, and by words. */
export function entryPasses(options: ReduceOptions, last: () => LastRun): readonly Pass<Artifact>[] {
  const brackets: Offering = async (path, text) => {
    const { keep } = options;
    const structure = await structureOf('', keep === undefined ? {} : { keep });
    return editsOf(path, structure.fine[0]!, text, text.replace(/["'`]/g, noQuote));
  };
  const words: Offering = async (path, text) => (isPage(path) ? undefined : tokens(text));
  return [
    entryPass('nodes of what starts it', last, async (path, text) => {
      const structure = await structureOf(path, structureOptions(options));
      return editsOf(path, structure.fine[0]!, text);
    }),
    entryPass('brackets in what starts it', last, brackets, briefly),
    entryPass('words of what starts it', last, words, briefly),
  ];
}

/** A string is often a text in a language of its own: without its quotes, the brackets in it are brackets. */
const noQuote = '\u0001';

/** `readable`: the text as the pass reads it, of the same length. */
async function editsOf(
  path: string,
  pass: TextPass,
  text: string,
  readable = text,
): Promise<Circumstance<string> | undefined> {
  const isIn = isInStart(path, text);
  const edits = (await pass.edits(readable)).filter(({ spans }) => spans.every(isIn));
  return edits.length === 0 ? undefined : editing(pass.name, text, edits);
}

const patiently = sweep({ prove: false, patience: briefPatience }) as unknown as ListStrategy;
/** For details: after a few refusals, the library has more to give. */
const briefly = sweep({ prove: false, patience: hastyPatience }) as unknown as ListStrategy;

type Offering = (path: string, text: string) => Promise<Circumstance<string> | undefined>;

/**
 * It does not run again as long as the files are as they were then. What it remembers may not depend on what is tested ahead, so nobody looks ahead
 * beyond it: `over` is only called for what is really searched.
 */
function entryPass(name: string, last: () => LastRun, offer: Offering, strategy = patiently): Pass<Artifact> {
  let seen: string | undefined;
  const isNew = (artifact: Artifact, entries: readonly string[]): boolean =>
    entries.length > 0 && textsOf(artifact, entries) !== seen;
  return {
    name,
    early: true,
    needsRun: artifact => isNew(artifact, entriesIn(artifact, last().loaded)),
    async over(artifact) {
      const entries = entriesIn(artifact, last().loaded);
      if (!isNew(artifact, entries)) return undefined;
      seen = textsOf(artifact, entries);
      const parts: FilePart[] = [];
      for (const path of entries) {
        const entry = artifact.files.get(path);
        if (entry?.kind !== 'file') continue;
        const { text, encoding } = decode(entry.bytes);
        const inner = await offer(path, text);
        if (inner) parts.push({ path, encoding, inner });
      }
      return parts.length === 0 ? undefined : inFiles(artifact, parts[0]!.inner.name, parts);
    },
    strategy: () => strategy,
  };
}
