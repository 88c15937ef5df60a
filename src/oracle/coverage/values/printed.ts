/** What a program prints in a run, and how it ends. */
import type { Artifact } from '../../../core/artifact.js';
import type { Environment } from '../programs.js';
import { reportsIn } from '../reports.js';
import { pathsIn } from '../runtimes/runtime.js';
import { makeFolder, reportersFor } from './reporters.js';
import { shownFrom } from './shown.js';

/** Plain data, for the journal. */
export interface Printed {
  /** The file that was started. */
  readonly path: string;
  /** Its lines in their order, each with the stream that it went to. */
  readonly lines: readonly (readonly [stream: 1 | 2, line: string])[];
  /** The last line of standard output has no end. */
  readonly isOpen?: boolean;
  readonly exit: number;
  /** The error of the language itself that ends it, and its message. */
  readonly thrown?: readonly [name: string, message?: string];
}

interface Report {
  readonly main: string;
  readonly writes: readonly (readonly [stream: 1 | 2, text: string])[];
  readonly exit: number;
  readonly thrown?: readonly [name: string, message?: string] | null;
}

/**
 * Each process writes down what it printed. Only one that starts at a file of the input counts, and of several, the first. Lines that may be a
 * secret are left out.
 */
export const watchPrinted = (files: Artifact['files'], around: Environment) => ({
  built(_root: string, tmp: string): Readonly<Record<string, string>> {
    return { CULPRIT_PRINTED: '1', ...reportersFor(files, makeFolder(tmp), around) };
  },
  ran(root: string, tmp: string): Printed | undefined {
    const folder = makeFolder(tmp);
    const pathOf = pathsIn({ folder, root, files });
    for (const { main, writes, exit, thrown } of reportsIn<Report>(folder, /^printed-.*\.json$/)) {
      const path = pathOf(main);
      if (path === undefined || files.get(path)?.kind !== 'file') continue;
      const { isOpenLine, areOpenTogether } = shownFrom(files, [root, tmp, ...Object.values(around)]);
      const all = linesOf(writes);
      const lines = all.filter(([, line]) => isOpenLine(line));
      if (!areOpenTogether(lines.map(([, line]) => line))) return undefined;
      const isOpen = lines.length > 0 && lines.at(-1) === all.at(-1) && !/\n$/.test(writes.at(-1)![1]);
      const isShown = thrown && isOpenLine(thrown.join(' '));
      return { path, lines, exit, ...(isOpen ? { isOpen } : {}), ...(isShown ? { thrown } : {}) };
    }
    return undefined;
  },
});

/** What goes to the same stream in a row is one text. */
function linesOf(writes: Report['writes']): Printed['lines'] {
  const texts: [1 | 2, string][] = [];
  for (const [stream, text] of writes) {
    const last = texts.at(-1);
    if (last?.[0] === stream) last[1] += text;
    else texts.push([stream, text]);
  }
  return texts.flatMap(([stream, text]) =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .map(line => [stream, line] as const),
  );
}
