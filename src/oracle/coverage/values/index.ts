/** Which values the expressions of a program have in a run. */
import type { Artifact } from '../../../core/artifact.js';
import type { Environment } from '../programs.js';
import { linesIn, reportsIn } from '../reports.js';
import { readNoted } from './noted.js';
import { makeFolder, reportersFor } from './reporters.js';
import { shownFrom } from './shown.js';

export { type ReportedCalls, watchCalls } from './called.js';
export { type Printed, watchPrinted } from './printed.js';

/** By the number of the expression: its value as a literal, if it always was the same, and a short one. */
export type ReportedValues = ReadonlyMap<number, string>;

/** How a program is watched whose expressions report their values. A runtime that writes them down at its end has none if a signal kills it before. */
export const watchValues = (files: Artifact['files'], around: Environment) => ({
  built(_root: string, tmp: string): Readonly<Record<string, string>> {
    return reportersFor(files, makeFolder(tmp), around);
  },
  ran(root: string, tmp: string): ReportedValues {
    const { isOpen } = shownFrom(files, [root, tmp, ...Object.values(around)]);
    return new Map([...readValues(makeFolder(tmp))].filter(([, literal]) => isOpen(literal)));
  },
});

type Reported = readonly [id: number, literal: string | null];

/** A value that two processes disagree about is not known. */
export function readValues(folder: string): ReportedValues {
  const values = new Map<number, string | null>();
  const reports = reportsIn<readonly Reported[]>(folder, /^values-.*\.json$/);
  const lines = linesIn<Reported>(folder, /^values-.*\.lines$/);
  for (const report of [...reports, lines, readNoted(folder)])
    for (const [id, literal] of report)
      values.set(id, (values.get(id) ?? literal) === literal && values.get(id) !== null ? literal : null);
  return new Map([...values].filter((pair): pair is [number, string] => pair[1] !== null));
}
