/** Functions of the new version as they are in the old one: a level whose deltas are functions. */
import type { Artifact, Entry } from '../../../core/artifact.js';
import { decode, isBinary, withText } from '../../../core/decode.js';
import { has } from '../../../core/index.js';
import { indexLines } from '../../../core/line-index.js';
import { addTo } from '../../../core/lists.js';
import type { Span } from '../../../syntax/edit.js';
import { languageOf } from '../../../syntax/languages/index.js';
import { hostTree, syntaxOf } from '../../../syntax/syntax.js';
import { apply, disjoint } from '../../../syntax/text-cut.js';
import { type OldText, oldFunctions } from '../../../syntax/versions/old-functions.js';
import { oldValues } from '../../../syntax/versions/old-values.js';
import { type SimilarFunctions, similarFunctions } from '../../../syntax/versions/similar-functions.js';
import type { Level } from '../levels/levels.js';
import type { Pair } from '../pair.js';

/** A longer text takes too long to analyse. */
const largest = 1_000_000;

/** A part of a file of new, and what takes its place. */
export interface Replacement extends Span {
  readonly path: string;
  /** How likely it is to blame. */
  readonly likely: number;
}

/** One function of new, as old has it. */
export interface OldFunction extends OldText, Replacement {
  /** From 0 to 1: how much of what it says in either version is only said in one of them. */
  readonly difference: number;
  readonly lines: OldLines;
}

/** Lines are counted from 1. */
interface OldLines {
  /** From and to. */
  readonly new: readonly [number, number];
  /** Where it begins in old. */
  readonly old: number;
  /** Parts that are from elsewhere in old: how many lines of the text are before each, and where it begins in old. */
  readonly parts?: readonly { readonly within: number; readonly old: number }[];
}

/** All of them applied are new; without one, its replacement is there. `name`: one of them, in the singular. */
export function levelOfReplacements(now: Artifact, name: string, all: readonly Replacement[]): Level {
  const byFile = new Map<string, number[]>();
  for (const [at, { path }] of all.entries()) addTo(byFile, path, at);
  return {
    name,
    circumstance: {
      name,
      count: all.length,
      build(configuration) {
        const files = new Map(now.files);
        for (const [path, members] of byFile) {
          const spans = disjoint(members.filter(at => !has(configuration, at)).map(at => all[at]!));
          const entry = now.files.get(path);
          if (spans.length > 0 && entry?.kind === 'file')
            files.set(path, withText(entry, apply(decode(entry.bytes).text, { spans })));
        }
        return { ...now, files };
      },
    },
    groupings: [[...byFile.values()]],
    inside: same => same,
    changes: () => [],
  };
}

interface Compared {
  readonly old: readonly string[];
  readonly new: string;
  /** Names say little. */
  readonly isMinified?: boolean;
}

/** The functions of one file that differ. */
export async function functionsOf(pair: Pair, path: Compared): Promise<readonly Omit<OldFunction, 'likely'>[]> {
  const [code, now] = [oldCodeOf(pair, path.old), textOf(pair.new.files.get(path.new))];
  const language = languageOf(path.new);
  if (code === undefined || now === undefined || !language || language.markup) return [];
  const { text: old, placeOf } = code;
  const syntax = await syntaxOf(language);
  const [before, after] = [hostTree(old, syntax), hostTree(now, syntax)];
  if (!before || !after) return [];
  const similar = path.isMinified ? await similarIn(old, now) : [];
  const lineAt = (text: string, at: number) => breaksIn(text.slice(0, at)) + 1;
  const values = path.isMinified ? [] : oldValues(before, after);
  const differenceOf = comparingWords(old, now);
  return [...(await oldFunctions(before, after, similar)), ...values].map(each => ({
    ...each,
    path: path.new,
    difference: differenceOf(each.text, now.slice(each.start, each.end)),
    lines: {
      new: [lineAt(now, each.start), lineAt(now, each.end)],
      old: placeOf(each.from).line,
      parts: (each.parts ?? []).map(({ at, from }) => ({
        within: breaksIn(each.text.slice(0, at)),
        old: placeOf(from).line,
      })),
    },
  }));
}

async function similarIn(old: string, now: string): Promise<readonly SimilarFunctions[]> {
  const { localNamesReader } = await import('../../../syntax/names/local-names.js');
  const read = await localNamesReader();
  const [before, after] = [read(old), read(now)];
  return before && after ? similarFunctions({ text: old, names: before }, { text: now, names: after }) : [];
}

export const wordsIn = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_$]+/gu) ?? [];

/**
 * How much two parts of these texts differ, by their words. If a file was written by another bundler, or in other words everywhere, words that are rare say
 * what has really changed.
 */
function comparingWords(old: string, now: string): (before: string, after: string) => number {
  const counts = new Map<string, number>();
  for (const text of [old, now]) for (const word of wordsIn(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weightOf = (words: readonly string[]) => words.reduce((sum, word) => sum + 1 / (counts.get(word) ?? 1), 0);
  return (before, after) => {
    const [left, right] = [new Set(wordsIn(before)), new Set(wordsIn(after))];
    const all = [...new Set([...left, ...right])];
    const one = all.filter(word => left.has(word) !== right.has(word));
    return all.length === 0 ? 0 : weightOf(one) / weightOf(all);
  };
}

const breaksIn = (text: string): number => text.split('\n').length - 1;

/** Where a line is in old. `functions`: those that are as in old, in the order of their places in a file. */
export function linesIn(
  functions: readonly Pick<OldFunction, 'path' | 'lines' | 'text'>[],
): (path: string, line: number) => number | undefined {
  return (path, line) => {
    let moved = 0;
    for (const { lines, text } of functions.filter(each => each.path === path)) {
      const [from, to] = lines.new;
      const within = line - from - moved;
      if (within >= 0 && within <= breaksIn(text)) {
        const part = lines.parts?.findLast(each => each.within <= within);
        return part ? part.old + within - part.within : lines.old + within;
      }
      moved += breaksIn(text) - (to - from);
    }
    return undefined;
  };
}

/** Code of old: one file, or several, one behind the other. */
export interface OldCode {
  readonly text: string;
  /** Which file a place of the text is in, and on which of its lines, counted from 1. */
  placeOf(at: number): { readonly path: string; readonly line: number };
}

/** Undefined if nothing of it can be read. */
export function oldCodeOf({ old }: Pair, paths: readonly string[]): OldCode | undefined {
  const files: { readonly path: string; readonly start: number }[] = [];
  let text = '';
  for (const path of paths) {
    const own = textOf(old.files.get(path));
    if (own === undefined || text.length + own.length > largest) continue;
    if (text !== '' && !text.endsWith('\n')) text += '\n';
    files.push({ path, start: text.length });
    text += own;
  }
  if (files.length === 0) return undefined;
  const { lineAt } = indexLines(text);
  const placeOf = (at: number) => {
    const { path, start } = files.findLast(each => each.start <= at)!;
    return { path, line: lineAt(at) - lineAt(start) + 1 };
  };
  return { text, placeOf };
}

/** Undefined for what is too long, or is no text. */
export function textOf(entry: Entry | undefined): string | undefined {
  if (entry?.kind !== 'file' || entry.bytes.length > largest || isBinary(entry.bytes)) return undefined;
  return decode(entry.bytes).text;
}
