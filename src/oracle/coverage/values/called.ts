/** With what the functions of a program are called in a run. */
import type { Artifact } from '../../../core/artifact.js';
import type { Environment } from '../programs.js';
import { reportsIn } from '../reports.js';
import { makeFolder, reportersFor } from './reporters.js';
import { shownFrom } from './shown.js';

/** The number of a function, and its arguments as literals: each call once, in their order. */
export type ReportedCalls = readonly (readonly [id: number, values: string])[];

/** How a program is watched whose functions report their arguments. Calls that may hold a secret are left out. */
export const watchCalls = (files: Artifact['files'], around: Environment) => ({
  built(_root: string, tmp: string): Readonly<Record<string, string>> {
    return { CULPRIT_CALLS: '1', ...reportersFor(files, makeFolder(tmp), around) };
  },
  ran(root: string, tmp: string): ReportedCalls {
    const { areOpenValues, areOpenTogether } = shownFrom(files, [root, tmp, ...Object.values(around)]);
    const found = new Map<string, readonly [number, string]>();
    for (const calls of reportsIn<ReportedCalls>(makeFolder(tmp), /^calls-.*\.json$/))
      for (const call of calls) if (areOpenValues(call[1])) found.set(call.join(' '), call);
    const calls = [...found.values()];
    return areOpenTogether(calls.map(([, values]) => values)) ? calls : [];
  },
});
