/** What is to blame, in words for a terminal: file, line, function, and the lines themselves with what can't be seen made visible. */
import { addTo, greatestOf } from '../../../core/lists.js';
import { shownCode } from '../../shown-code.js';
import type { Culprit, Reverted } from './culprits.js';

/** More would push the sentence above it off the screen. */
const mostLines = 40;
const mostPlaces = 14;

/** A place in words, and its lines. */
interface Entry {
  readonly line: string;
  readonly code: readonly string[];
}

/** The smallest revert comes first if it differs from the cause. `tail`: the text after all culprits. */
export function describeCulprits(
  culprits: readonly Culprit[],
  revert: readonly Reverted[],
  tail: readonly string[],
): readonly string[] {
  const causes = culprits.filter(({ role }) => role === 'cause');
  const needed = neededLines(culprits.filter(({ role }) => role === 'needed'));
  const entryOf = (lead: string, each: Reverted): Entry => ({
    line: `${lead} ${placeOf(each)}`,
    code: shownCode(each.excerpt),
  });
  const reverted = isSamePlaces(revert, culprits) ? [] : revert;
  const entries = [
    ...shortened(byFileIfMany(reverted).map((each, i) => entryOf(i === 0 ? 'smallest revert:' : 'and', each))),
    ...shortened(byFileIfMany(causes).map((each, i, all) => entryOf(leadOf(each, all[i - 1]), each))),
  ];
  const room = mostLines - tail.length - needed.length - entries.length;
  const shown = fairShares(
    entries.map(({ code }) => code.length),
    room,
  );
  return [
    ...entries.flatMap(({ line, code }, i) => [line, ...cutCode(code, shown[i]!).map(each => `  ${each}`)]),
    ...needed,
    ...tail,
  ];
}

/** Whether the cause is what has to be taken back, and nothing else. */
export const isSamePlaces = (revert: readonly Reverted[], culprits: readonly Culprit[]): boolean =>
  revert.length === culprits.length &&
  revert.every(({ change, code }) => culprits.some(each => each.change === change && each.code === code));

/** If there are too many places to name, those of one file are named together. */
function byFileIfMany<Place extends Reverted>(places: readonly Place[]): readonly Place[] {
  if (places.length <= mostPlaces / 2) return places;
  const byFile = new Map<string, Place[]>();
  for (const each of places) addTo(byFile, each.file, each);
  return [...byFile].flatMap(([file, all]) =>
    all.length === 1 ? all : [{ ...all[0]!, change: `${all.length} places in ${file}`, excerpt: '' }],
  );
}

/** The first places; how many there are besides. */
function shortened(entries: readonly Entry[]): readonly Entry[] {
  const most = mostPlaces / 2;
  if (entries.length <= most) return entries;
  return [...entries.slice(0, most - 1), { line: `and ${entries.length - most + 1} more: see the patches`, code: [] }];
}

/** What is needed, file by file: where it is says enough. */
function neededLines(needed: readonly Culprit[]): readonly string[] {
  const byFile = new Map<string, Culprit[]>();
  for (const each of needed) addTo(byFile, each.file, each);
  const lines = [...byFile].map(([file, all]) => {
    const [first, ...others] = all.map(each => placeOf({ ...each, function: undefined }));
    const more = others.slice(0, mostPlaces).map(place => place.replace(`${file}:`, ''));
    const left = others.length - more.length;
    return `needed so that it builds or runs: ${[first, ...more, ...(left > 0 ? [`and ${left} more`] : [])].join(', ')}`;
  });
  return lines.length <= 4
    ? lines
    : [...lines.slice(0, 3), `and changes in ${lines.length - 3} more files: see the patches`];
}

/** How many lines each may show, so that a long one does not hide the others. */
function fairShares(lengths: readonly number[], room: number): readonly number[] {
  let share = 0;
  const total = (each: number) => lengths.reduce((sum, length) => sum + Math.min(length, each), 0);
  while (share < greatestOf(lengths) && total(share + 1) <= room) share++;
  return lengths.map(length => Math.min(length, share));
}

function cutCode(code: readonly string[], most: number): readonly string[] {
  if (code.length <= most) return code;
  if (most < 2) return [];
  const shown = code.slice(0, most - 1);
  return [...shown, `… ${code.length - shown.length} more lines: see the patches`];
}

const leadOf = ({ cause }: Culprit, before: Culprit | undefined): string =>
  before === undefined ? 'to blame:' : before.cause === cause ? 'together with' : 'and, enough by itself,';

/** `lib/x.js:109–112 in optimize()`, `x.min.js:1:2034` in a long line, or what happened to the file as a whole: `lib/y.js deleted`. */
export function placeOf({ file, lines, tokens, change, function: around }: Reverted): string {
  if (!/ -\d+,\d+ \+\d+,\d+$/.test(change)) return change;
  const [at, version] = lines.new ? [lines.new, ''] : [lines.old, ' (deleted)'];
  if (!at) return change;
  const column = at[0] === at[1] && tokens?.[0] ? `:${tokens[0].new.column}` : '';
  const range = at[0] === at[1] ? `${at[0]}${column}` : `${at[0]}–${at[1]}`;
  return `${file}:${range}${version}${around === undefined ? '' : ` in ${around}`}`;
}
