/** What the processes of a run wrote about themselves: one file each, of JSON or of lines of JSON. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Those whose file has such a name, in its order. Without a process that wrote one, there may be no folder; half a report is none. */
export const reportsIn = <Report>(folder: string, name: RegExp): readonly Report[] =>
  textsIn(folder, name).flatMap(text => reportIn<Report>(text));

/** The same, if each line of a file is a report: what was noted before a crash is there. */
export const linesIn = <Report>(folder: string, name: RegExp): readonly Report[] =>
  textsIn(folder, name).flatMap(text => text.split('\n').flatMap(line => reportIn<Report>(line)));

const textsIn = (folder: string, name: RegExp): readonly string[] =>
  namesIn(folder)
    .filter(each => name.test(each))
    .sort()
    .map(each => readFileSync(join(folder, each), 'utf8'));

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A process may still have been writing when it was stopped. */
function reportIn<Report>(text: string): readonly Report[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}
