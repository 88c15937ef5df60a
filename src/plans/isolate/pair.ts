/** A passing and a failing artifact: how they differ in words, and where they are written. */
import { basename, resolve } from 'node:path';
import { diffSnapshots, type FileChange } from '../../circumstances/changes/diff.js';
import { alignment } from '../../circumstances/sequence.js';
import { lines, piecesOf } from '../../circumstances/text.js';
import type { Artifact } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import type { Hunk } from '../../core/diff.js';
import { UserError } from '../../core/index.js';
import { counted } from '../../core/phrases.js';
import type { Answer } from '../../report/page/data.js';
import { closeArchives } from '../../sources/archives/index.js';
import type { Given } from '../../sources/files.js';
import { type Input, readPaths, standardInput } from '../../sources/input.js';
import type { Selection } from '../../sources/selection.js';
import { excerptOf } from '../excerpt.js';
import { countDiffering, hexDifference } from '../hex-dump.js';
import { shownCode } from '../shown-code.js';
import { isData, type Pair, sameEntry } from './texts.js';

/** The passing input gets the name of the failing one: the command must see no other difference than the content. */
export function readPair(
  passingPath: string,
  failingPath: string,
  selection: Selection = {},
): Pair & Omit<Input, 'artifact'> {
  for (const path of [passingPath, failingPath])
    if (path === standardInput)
      throw new UserError('isolate does not read standard input (-).', 'Write both inputs to files first.');
  const good = readPaths([passingPath], selection);
  const bad = readPaths([failingPath], selection);
  if (good.given[0]!.folder !== bad.given[0]!.folder)
    throw new UserError(
      `${passingPath} and ${failingPath} cannot be compared: one is a folder, the other a file.`,
      'Pass two files or two folders.',
    );
  const [from, to] = [good.given[0]!.name, bad.given[0]!.name];
  const files = new Map([...good.artifact.files].map(([path, entry]) => [`${to}${path.slice(from.length)}`, entry]));
  const { given, linked, leftOut } = bad;
  return { passing: { files }, failing: bad.artifact, given, linked, leftOut };
}

/** What is in one and not in the other, line by line. */
export function differenceOf({ passing, failing }: Pair): readonly string[] {
  const paths = [...new Set([...passing.files.keys(), ...failing.files.keys()])].sort();
  return paths.flatMap(path => {
    const [a, b] = [passing.files.get(path), failing.files.get(path)];
    if (isData(a) && isData(b)) {
      const rows = hexDifference(a.bytes, b.bytes).map(row => `${row}\n`);
      return paths.length > 1 && rows.length > 0 ? [`${path}\n`, ...rows] : rows;
    }
    const text = (entry: typeof a) => (entry?.kind === 'file' ? piecesOf(lines, decode(entry.bytes).text) : []);
    const rows = alignment(text(a), text(b)).filter(piece => piece.kind !== 'shared');
    const head = paths.length > 1 && (rows.length > 0 || a?.kind !== b?.kind) ? [`${path}\n`] : [];
    return [
      ...head,
      ...rows.map(
        ({ kind, element }) => `${kind === 'new' ? '+' : '-'}${element}${element.endsWith('\n') ? '' : '\n'}`,
      ),
    ];
  });
}

/** More of a difference than this is left to difference.txt. */
const mostShown = 40;

/** How much differs, in words. A line that replaces another is one changed line. */
export function amountOfDifference({ passing, failing }: Pair): string {
  const differing = [...new Set([...passing.files.keys(), ...failing.files.keys()])].filter(
    path => !sameEntry(passing.files.get(path), failing.files.get(path)),
  );
  const [a, b] = [passing, failing].map(({ files }) => files.get(differing[0] ?? ''));
  const bytes = differing.length === 1 && isData(a) && isData(b) ? countDiffering(a.bytes, b.bytes) : undefined;
  if (bytes !== undefined) return counted(bytes, 'byte');
  const rows = differenceOf({ passing, failing });
  const [removed, added] = ['-', '+'].map(sign => rows.filter(row => row.startsWith(sign)).length);
  return counted(Math.max(removed!, added!), 'line');
}

/** The same for a terminal: where it is in the failing input, and what is around it. */
export function describeDifference(pair: Pair): readonly string[] {
  const changes = diffSnapshots(pair.passing.files, pair.failing.files);
  const words = changes.flatMap((change, file) => {
    const path = change.newPath ?? change.oldPath ?? '';
    const [a, b] = [pair.passing, pair.failing].map(({ files }) => files.get(path));
    if (isData(a) && isData(b) && !change.mode && change.kind !== 'renamed')
      return [`${path}:`, ...hexDifference(a.bytes, b.bytes).map(row => `  ${row}`)];
    if (change.kind !== 'edited' || change.hunks.length === 0) return [describeWhole(change, path)];
    return change.hunks.flatMap(hunk => [
      placeOf(path, hunk),
      ...shownCode(excerptOf(changes, [{ kind: 'hunk', file, ...hunk }], 'new')).map(line => `  ${line}`),
    ]);
  });
  const left = words.length - mostShown;
  return left > 1 ? [...words.slice(0, mostShown), `… ${left} more lines: see difference.txt`] : words;
}

/** `settings.json:7`, or where it would be in the failing input. */
function placeOf(path: string, { newStart, newCount }: Hunk): string {
  if (newCount === 0) return newStart === 0 ? `${path}, at the start` : `${path}, after line ${newStart}`;
  return `${path}:${newStart + 1}${newCount > 1 ? `–${newStart + newCount}` : ''}`;
}

function describeWhole({ kind, mode, oldPath }: FileChange, path: string): string {
  if (kind === 'added') return `${path}: only in the failing input`;
  if (kind === 'deleted') return `${path}: only in the passing input`;
  if (kind === 'renamed') return `${path}: in the passing input, this is ${oldPath}`;
  return mode ? `${path}: the mode differs` : `${path}: differs`;
}

/** Both sides in one folder tree, for the run's folder and for the result. */
export function bothSides({ passing, failing }: Pair): Artifact {
  const under = (folder: string, artifact: Artifact) =>
    [...closeArchives(artifact).files].map(([path, entry]) => [`${folder}/${path}`, entry] as const);
  return { files: new Map([...under('failing', failing), ...under('passing', passing)]) };
}

/** The pair that `bothSides` wrote. */
export function sidesOf({ files }: Artifact, failingPath: string): Pair & { readonly given: readonly Given[] } {
  const side = (folder: string): Artifact => ({
    files: new Map(
      [...files]
        .filter(([path]) => path.startsWith(`${folder}/`))
        .map(([path, entry]) => [path.slice(folder.length + 1), entry]),
    ),
  });
  const name = basename(resolve(failingPath));
  const failing = side('failing');
  return { passing: side('passing'), failing, given: [{ path: failingPath, name, folder: !failing.files.has(name) }] };
}

/** The passing side next to the failing one, for the page. */
export const comparedPair = ({ passing, failing }: Pair) =>
  [...failing.files].flatMap(([path, entry]) => {
    const good = passing.files.get(path);
    const original = good?.kind === 'file' ? good.bytes : new Uint8Array();
    return entry.kind === 'file' ? [{ path, original, result: entry.bytes, pair: true as const }] : [];
  });

/** More lines are no answer yet. */
const mostAnswered = 60;

/** What the page begins with. */
export function answerOf(best: Pair, where: string): { readonly answer?: Answer } {
  const difference = differenceOf(best);
  return difference.length > mostAnswered ? {} : { answer: { places: [{ where, code: difference.join('') }] } };
}
