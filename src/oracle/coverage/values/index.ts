/** Which values the expressions of a program have in a run. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from '../../../core/artifact.js';
import { decode } from '../../../core/decode.js';
import type { Environment } from '../programs.js';
import { linesIn, reportsIn } from '../reports.js';
import { readNoted } from './noted.js';
import { reportersFor } from './reporters.js';

const folderName = '.culprit-values';

/** By the number of the expression: its value as a literal, if it always was the same, and a short one. */
export type ReportedValues = ReadonlyMap<number, string>;

/** How a program is watched whose expressions report their values: every process writes them down, unless a signal kills it before it can. */
export const watchValues = (files: Artifact['files'], around: Environment) => ({
  built(_root: string, tmp: string): Readonly<Record<string, string>> {
    const folder = join(tmp, folderName);
    mkdirSync(folder);
    return reportersFor(files, folder, around);
  },
  ran(root: string, tmp: string): ReportedValues {
    const isOpen = mayBeShown(files, [root, tmp, ...Object.values(around)]);
    return new Map([...readValues(join(tmp, folderName))].filter(([, literal]) => isOpen(literal)));
  },
});

/** A longer text may be a password, a key or a path of this machine, unless the input has it already. */
const harmless = 16;
/** A shorter variable says nothing. */
const telling = 4;

/** A value becomes a part of the result, which people publish: whatever comes from the environment stays out of it. */
function mayBeShown(files: Artifact['files'], around: readonly (string | undefined)[]): (literal: string) => boolean {
  const own = around.filter(value => value !== undefined && value.length >= telling) as string[];
  const texts = [...files.values()].flatMap(entry => (entry.kind === 'file' ? [decode(entry.bytes).text] : []));
  return literal => {
    const quoted = /^["'](.*)["']$/s.exec(literal)?.[1];
    const text = (quoted ?? literal).replace(/\\(.)/gs, '$1');
    if (text.length < telling || texts.some(each => each.includes(text))) return true;
    // `true` says nothing, wherever it comes from; a number may be a PIN.
    if (quoted === undefined) return !/^-?[\d.]/.test(text) || !own.includes(text.replace(/[ULf]+$/, ''));
    return text.length <= harmless && !own.some(value => value.includes(text) || text.includes(value));
  };
}

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
