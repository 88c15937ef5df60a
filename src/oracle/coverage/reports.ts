/** What the processes of a run wrote about themselves: one file of JSON each. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Those whose file has such a name, in its order. Without a process that wrote one, there may be no folder; half a report is none. */
export const reportsIn = <Report>(folder: string, name: RegExp): readonly Report[] =>
  namesIn(folder)
    .filter(each => name.test(each))
    .sort()
    .flatMap(each => {
      const report = parsed<Report>(readFileSync(join(folder, each), 'utf8'));
      return report === undefined ? [] : [report];
    });

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A process may still have been writing when it was stopped. */
function parsed<Report>(text: string): Report | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
