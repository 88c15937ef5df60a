/**
 * Where a failing run takes another path than a passing one: a few places to look at, in the reports of `isolate` and
 * `changes`.
 */
import type { Artifact } from '../core/artifact.js';
import { difference } from '../core/diff.js';
import type { CommandOracle } from '../oracle/command/command.js';
import {
  type Divergence,
  divergences,
  type LineMap,
  sameLines,
  watchBranches,
} from '../oracle/coverage/branches/index.js';
import { identify } from '../sources/files.js';
import type { Context, Presentation } from './job.js';

export type { Divergence };

/** More places than anyone reads. */
const most = 5;

interface Sides {
  readonly passing: Artifact;
  readonly failing: Artifact;
  /** The artifacts are programs, whose lines differ; otherwise they are inputs of the same program. */
  readonly isProgram?: boolean;
}

/**
 * The branches and functions that only the failing run takes, ranked, at most five. The journal remembers them. `undefined`
 * if neither run reports what it executes: the report then leaves them out.
 */
export async function divergencesOf(
  sides: Sides,
  oracle: CommandOracle,
  timeout: number,
  { folder: { journal }, signal }: Context,
): Promise<readonly Divergence[]> {
  const { passing, failing, isProgram = false } = sides;
  const name = `diverging branches ${identify(passing)} ${identify(failing)}`;
  const known = journal.noted<readonly Divergence[]>(name);
  if (known) return known;
  // Coverage slows a run down.
  const limit = timeout * 3;
  const home = process.cwd();
  const before = await oracle.observe(passing, limit, signal, watchBranches(home));
  const after = await oracle.observe(failing, limit, signal, watchBranches(home, before.seen?.isNative));
  if (!before.seen || !after.seen) return [];
  const lines = isProgram ? lineMap(passing, failing) : sameLines;
  const all = divergences(before.seen.branches, after.seen.branches, lines);
  // Of a program that changed, only its own files can be to blame, and not what the test uses besides.
  const found = (isProgram ? all.filter(({ file }) => failing.files.has(file)) : all).slice(0, most);
  journal.note(name, found);
  return found;
}

const describeDivergence = ({ file, line, kind, function: name }: Divergence): string => {
  const what = kind === 'function' ? `function ${name ?? ''}`.trim() : `branch${name ? ` in ${name}` : ''}`;
  return `${file}:${line} (${what})`;
};

/** A presentation that also names these places, for the terminal, `--json` and the page. */
export function withDivergences(shown: Presentation, found: readonly Divergence[]): Presentation {
  const result = [shown.result ?? '', ...divergenceLines(found)].join('\n');
  const page = shown.page ? { page: { ...shown.page, ...divergenceTable(found) } } : {};
  return { ...shown, result, fields: { ...shown.fields, onlyFailing: found }, ...page };
}

/** Empty if nothing was seen. */
const divergenceLines = (found: readonly Divergence[]): readonly string[] =>
  found.length === 0 ? [] : ['Only the failing run gets here:', ...found.map(each => `  ${describeDivergence(each)}`)];

const divergenceTable = (found: readonly Divergence[]) =>
  found.length === 0
    ? {}
    : {
        table: {
          caption: 'Only the failing run gets here, the likeliest place first',
          columns: ['place'],
          rows: found.map(each => [describeDivergence(each)]),
        },
      };

/** Lines that both versions have, by their numbers. */
function lineMap(passing: Artifact, failing: Artifact): LineMap {
  const maps = new Map<
    string,
    { readonly to: ReadonlyMap<number, number>; readonly back: ReadonlyMap<number, number> }
  >();
  const of = (file: string) => {
    const known = maps.get(file) ?? sharedLines(textOf(passing, file), textOf(failing, file));
    maps.set(file, known);
    return known;
  };
  // A file that is in neither version is the same in both runs.
  const isOutside = (file: string) => !passing.files.has(file) && !failing.files.has(file);
  return {
    toFailing: (file, line) => (isOutside(file) ? line : of(file).to.get(line)),
    toPassing: (file, line) => (isOutside(file) ? line : of(file).back.get(line)),
  };
}

const textOf = ({ files }: Artifact, path: string): string => {
  const entry = files.get(path);
  return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString('latin1') : '';
};

function sharedLines(old: string, now: string) {
  const numbers = new Map<string, number>();
  const interned = (text: string) =>
    Int32Array.from(text.split('\n'), line => {
      const number = numbers.get(line) ?? numbers.size;
      numbers.set(line, number);
      return number;
    });
  const [a, b] = [interned(old), interned(now)];
  const [to, back] = [new Map<number, number>(), new Map<number, number>()];
  let [i, j] = [0, 0];
  for (const hunk of [...difference(a, b), { oldStart: a.length, oldCount: 0, newStart: b.length, newCount: 0 }]) {
    for (; i < hunk.oldStart; i++, j++) {
      to.set(i + 1, j + 1);
      back.set(j + 1, i + 1);
    }
    [i, j] = [hunk.oldStart + hunk.oldCount, hunk.newStart + hunk.newCount];
  }
  return { to, back };
}
