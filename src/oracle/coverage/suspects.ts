/** Which changes were executed, and are therefore suspects. */
import { type Configuration, of } from '../../core/index.js';
import { type Coverage, isBlank } from './coverage.js';
import { runtimes } from './runtimes/index.js';

/**
 * The dubious changes of Yu, Lin, Chen and Zhang, "Practical isolation of failure-inducing changes for debugging regression
 * faults" (2012), §2.2: a change whose lines ran in neither version can't have caused the failure and is set aside.
 * As in the paper, what the coverage can't judge stays in, and documents are left out.
 */
export interface Judged {
  readonly parts: readonly JudgedPart[];
}

/** Lines old[oldStart, oldStart + oldCount) became new[newStart, newStart + newCount), counted from 0. */
export interface JudgedPart {
  readonly kind: string;
  readonly oldPath?: string;
  readonly newPath?: string;
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  /** If it is only a part of these lines. */
  readonly text?: string;
  /** What the other version has in its place. */
  readonly instead?: string;
}

/** The changes that at least one of the two runs executed, and those for which this is unknown. */
export function suspectChanges(changes: readonly Judged[], old: Coverage, now: Coverage): Configuration {
  const blind = isBlank(old) && isBlank(now);
  const staysIn = (part: JudgedPart): boolean =>
    blind ||
    ranIn(old, part.kind, { path: part.oldPath, start: part.oldStart, count: part.oldCount }) ||
    ranIn(now, part.kind, { path: part.newPath, start: part.newStart, count: part.newCount });
  return of([...changes.keys()].filter(i => changes[i]!.parts.some(staysIn)));
}

/** Files for people, not for programs. If a program does read them, they are found when the search widens. */
const documents =
  /(^|\/)(readme|changelog|changes|history|license|licence|authors|contributors|contributing|notice|copying|news)[^/]*$|\.(md|markdown|rst|adoc|txt|[1-9])$/i;

/** One side of a part: `count` lines after the first `start` ones. */
interface Lines {
  readonly path: string | undefined;
  readonly start: number;
  readonly count: number;
}

function ranIn(coverage: Coverage, kind: string, { path, start, count }: Lines): boolean {
  if (path === undefined) return false;
  const executed = coverage.executed.get(path);
  if (!executed) return countsAsData(coverage, path);
  if (kind === 'rename' || kind === 'mode') return true;
  const undecided = coverage.undecided.get(path);
  for (let line = start + 1; line <= start + count; line++) if (executed.has(line) || undecided?.has(line)) return true;
  return false;
}

/**
 * A file that did not run as code counts if it was read. If that is unknown, it counts unless it is a document, or a script of a
 * runtime that reported others.
 * (A C file without counts may be a table of data that was compiled in.)
 */
function countsAsData(coverage: Coverage, path: string): boolean {
  if (coverage.read) return coverage.read.has(path);
  if (path.endsWith('.map')) return coverage.executed.has(path.slice(0, -'.map'.length));
  const isScript = runtimes.some(({ name, files }) => coverage.kinds.includes(name) && files.test(path));
  return !documents.test(path) && !isScript;
}

/** Upgrades of packages that at least one of the two runs used: one of their files ran or was read. */
export function suspectPackages(
  upgrades: readonly { readonly steps: readonly { readonly location: string }[] }[],
  old: Coverage,
  now: Coverage,
): Configuration {
  if (isBlank(old) && isBlank(now)) return of(upgrades.keys());
  const used = new Set<string>();
  for (const coverage of [old, now])
    for (const path of [...coverage.executed.keys(), ...(coverage.read ?? [])])
      used.add(/^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? '');
  return of([...upgrades.keys()].filter(i => upgrades[i]!.steps.some(({ location }) => used.has(location))));
}
