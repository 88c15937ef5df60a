/**
 * What only one of the two runs prints, `+inf` in the place of `inf` or the words of an error, often stands in the change that is to blame: as a text, as a
 * name, or as part of one. A word that many changed lines have says nothing.
 */
import { pauseIfDue } from '../../core/pause.js';
import type { Coverage } from './coverage.js';
import type { Compared } from './suspicion.js';

/** For each file, what a word in a changed line of it says: 1 if there is no other such line, and the less, the more there are in this file and in others. */
export type Telling = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Output may be long; what explains a failure is mostly at its beginning or its end. */
const mostPrinted = 20_000;

/** The words of one of two outputs, which are read as Latin-1, as lines are. */
export function onlyInOne(passing: string, failing: string): ReadonlySet<string> {
  const [a, b] = [new Set(wordsIn(ends(passing))), new Set(wordsIn(ends(failing)))];
  return new Set([...[...a].filter(word => !b.has(word)), ...[...b].filter(word => !a.has(word))]);
}

const ends = (output: string): string =>
  output.length <= mostPrinted ? output : `${output.slice(0, mostPrinted / 2)}\n${output.slice(-mostPrinted / 2)}`;

/** Which of these words say something about a change, and how much. Only lines that one of the runs may have executed count. */
export async function tellingWords(
  printed: ReadonlySet<string>,
  files: readonly Compared[],
  { old, now }: { readonly old: Coverage; readonly now: Coverage },
): Promise<Telling> {
  const counts = new Map<Compared, ReadonlyMap<string, number>>();
  const filesWith = new Map<string, number>();
  for (const file of printed.size > 0 ? files : []) {
    const found = new Map<string, number>();
    for (const each of changedIn(file)) {
      await pauseIfDue();
      const ran = [
        ...ranOf(old, file.oldPath, file.oldLines, [each.oldStart, each.oldCount]),
        ...ranOf(now, file.newPath, file.newLines, [each.newStart, each.newCount]),
      ];
      for (const line of ran)
        for (const word of new Set(wordsIn(line))) if (printed.has(word)) found.set(word, (found.get(word) ?? 0) + 1);
    }
    for (const word of found.keys()) filesWith.set(word, (filesWith.get(word) ?? 0) + 1);
    counts.set(file, found);
  }
  const telling = new Map<string, ReadonlyMap<string, number>>();
  for (const [{ oldPath, newPath }, found] of counts) {
    // The line that went and the one that came in its place may both have it.
    const says = [...found].map(([word, lines]) => [word, 1 / filesWith.get(word)! / Math.max(1, lines / 2)] as const);
    for (const path of [oldPath, newPath]) if (path !== undefined && says.length > 0) telling.set(path, new Map(says));
  }
  return telling;
}

/** A file that only one of the versions has is changed as a whole. */
const changedIn = ({ oldPath, newPath, hunks, oldLines, newLines }: Compared): Compared['hunks'] =>
  oldPath !== undefined && newPath !== undefined
    ? hunks
    : [{ oldStart: 0, oldCount: oldLines.length, newStart: 0, newCount: newLines.length }];

function ranOf(
  { executed, undecided }: Coverage,
  path: string | undefined,
  lines: readonly string[],
  [start, count]: readonly [start: number, count: number],
): readonly string[] {
  const [ran, unknown] = [executed.get(path ?? ''), undecided.get(path ?? '')];
  const some = lines.slice(start, start + count);
  return ran ? some.filter((_, i) => ran.has(start + i + 1) || unknown?.has(start + i + 1)) : some;
}

/** From 0 to 1: how much the two sides of a change tell by words that they do not share. */
export function tellsOf(words: ReadonlyMap<string, number>, olds: readonly string[], news: readonly string[]): number {
  const countsIn = (lines: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const word of lines.flatMap(line => [...wordsIn(line)]))
      if (words.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    return counts;
  };
  const [before, after] = [countsIn(olds), countsIn(news)];
  const changed = [...words].filter(([word]) => before.get(word) !== after.get(word));
  return Math.min(
    1,
    changed.reduce((sum, [, says]) => sum + says, 0),
  );
}

/** Names and numbers, and what stands between blanks, quotes and brackets: `+inf` is `+inf` and `inf`. */
function* wordsIn(text: string): Generator<string> {
  for (const [run] of text.matchAll(/[^\s"'`()[\]{}<>,;=]+/g)) {
    if (run.length > 1) yield run;
    for (const [word] of run.matchAll(/[\p{L}\p{N}_]{2,}/gu)) if (word !== run) yield word;
  }
}
