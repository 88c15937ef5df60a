/** Lines of a text that a preprocessor says come from other files: `# 12 "a.h" 3`, `#line 12 "a.y"`. */
import { basename } from 'node:path';

/** A run of lines that come from one file. */
interface Run {
  readonly file: string;
  /** The number of its first line in that file. */
  readonly first: number;
  /** Where that line begins, and where the run ends. */
  readonly start: number;
  readonly end: number;
}

const marker = /^[ \t]*#[ \t]*(?:line[ \t]+)?(\d{1,9})[ \t]+"([^"\n]*)"[^\n]*\n/gm;

/** The files that the text says it was made from, each once. */
export const filesIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(marker)].map(([, , file]) => basename(file!)));

/** Where a line of a file begins in a text called `name`: more than once if the file was included more than once. */
export function offsetsOf(text: string, name: string): (file: string, line: number) => readonly number[] {
  const runs = runsIn(text, name);
  return (file, line) =>
    runs.flatMap(run => {
      if (run.file !== basename(file) || line < run.first) return [];
      let at = run.start;
      for (let left = line - run.first; left > 0 && at < run.end; left--) {
        const next = text.indexOf('\n', at);
        at = next < 0 ? run.end : next + 1;
      }
      return at < run.end ? [at] : [];
    });
}

function runsIn(text: string, name: string): readonly Run[] {
  const markers = [...text.matchAll(marker)];
  const [before] = markers;
  const end = before?.index ?? text.length;
  return [
    { file: basename(name), first: 1, start: 0, end },
    ...markers.map(({ 0: whole, 1: line, 2: file, index }, i) => ({
      file: basename(file!),
      first: Number(line),
      start: index + whole.length,
      end: markers[i + 1]?.index ?? text.length,
    })),
  ].filter(run => run.end > run.start);
}
