/** Remembers across passes which edits were refused, so that only what changed since is asked again. */
import { type Change, type Circumstance, type Configuration, deltasOf, minus, size } from '../core/index.js';
import { lengthOf, type Trace } from '../core/trace.js';

/**
 * The edits that were refused one at a time, per file. An edit is known by its place and by what it puts there. Places move with the text: after
 * an accepted edit, each is where the trace of that edit says, so a shorter name or less whitespace changes nothing.
 */
export type Refused = ReadonlyMap<string, ReadonlyMap<string, Refusal>>;

interface Refusal {
  readonly changes: readonly Change[];
  /** What it would remove, in tokens: if this changes, the edit is another one. */
  readonly tokens: number;
  /** How often the words that it would remove are used elsewhere: with fewer uses, it may be accepted. */
  readonly uses: number;
}

export const nothingRefused: Refused = new Map();

/** In a larger text there are too many places, and what is asked there are large parts. */
const largestText = 65_536;

/** Adds what a search refused: an edit that was left out alone, whatever else the search removed later. */
export function refuse<Artifact>(
  refused: Refused,
  circumstance: Circumstance<Artifact>,
  best: Configuration,
  refusals: readonly Configuration[],
): Refused {
  const { edited } = circumstance;
  if (!edited) return refused;
  const found = copyOf(refused);
  const words = new Map<string, Words>();
  for (const asked of refusals) {
    const left = minus(best, asked);
    if (size(left) !== 1) continue;
    const [delta] = deltasOf(left);
    const changes = trimmed(edited.changes(delta!), edited.texts);
    const file = changes?.[0]?.file;
    if (!changes || file === undefined) continue;
    const text = edited.texts.get(file)!;
    if (text.length > largestText) continue;
    if (!words.has(file)) words.set(file, wordsOf(text));
    if (!found.has(file)) found.set(file, new Map());
    found.get(file)!.set(keyOf(changes), { changes, ...reachOf(changes, text, words.get(file)!) });
  }
  return found;
}

/** The same places in the text that a search made. */
export function refusedAfter<Artifact>(
  refused: Refused,
  { edited, trace }: Circumstance<Artifact>,
  best: Configuration,
): Refused {
  if (!edited || !trace) return nothingRefused;
  const traces = trace(best) as Trace | ReadonlyMap<string, Trace | 'unknown'>;
  const found = new Map<string, ReadonlyMap<string, Refusal>>();
  for (const [file, refusals] of refused) {
    const moved = 'get' in traces ? (traces as ReadonlyMap<string, Trace | 'unknown'>).get(file) : (traces as Trace);
    if (moved === 'unknown') continue;
    if (moved === undefined) found.set(file, refusals);
    else found.set(file, move(refusals, moved));
  }
  return found;
}

/** Which deltas of a circumstance were refused before and have not changed since; `undefined` if none is known. */
export function refusedIn<Artifact>(
  refused: Refused,
  { edited }: Circumstance<Artifact>,
): ((delta: number) => boolean) | undefined {
  if (!edited || refused.size === 0) return undefined;
  const words = new Map<string, Words>();
  return delta => {
    const changes = trimmed(edited.changes(delta), edited.texts);
    const file = changes?.[0]?.file;
    if (!changes || file === undefined) return false;
    const before = refused.get(file)?.get(keyOf(changes));
    if (!before) return false;
    const text = edited.texts.get(file)!;
    if (!words.has(file)) words.set(file, wordsOf(text));
    const { tokens, uses } = reachOf(changes, text, words.get(file)!);
    return tokens === before.tokens && uses >= before.uses;
  };
}

const copyOf = (refused: Refused): Map<string, Map<string, Refusal>> =>
  new Map([...refused].map(([file, refusals]) => [file, new Map(refusals)]));

const keyOf = (changes: readonly Change[]): string =>
  changes.map(({ start, end, text }) => `${start} ${end} ${text}`).join('\n');

/** Without whitespace at the edges: whether a deletion takes the blank before it is no difference. `undefined` for several files. */
function trimmed(changes: readonly Change[], texts: ReadonlyMap<string, string>): readonly Change[] | undefined {
  const found: Change[] = [];
  for (const { file, text, ...place } of changes) {
    if (file !== changes[0]!.file) return undefined;
    const base = texts.get(file)!;
    let { start, end } = place;
    while (start < end && isBlank(base, start)) start++;
    while (end > start && isBlank(base, end - 1)) end--;
    if (start < end) found.push({ file, start, end, text: text.trim() });
  }
  return found;
}

const isBlank = (text: string, at: number): boolean => text.charCodeAt(at) <= 32;

const wordPattern = /[\p{L}\p{N}_$]+|\S/gu;
const isWord = /^[\p{L}_$]/u;

type Words = ReadonlyMap<string, number>;

function wordsOf(text: string): Words {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(wordPattern)) if (isWord.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function reachOf(changes: readonly Change[], text: string, words: Words): Omit<Refusal, 'changes'> {
  let tokens = 0;
  let uses = 0;
  const seen = new Set<string>();
  for (const { start, end } of changes)
    for (const [word] of text.slice(start, end).matchAll(wordPattern)) {
      tokens++;
      if (!isWord.test(word)) continue;
      if (!seen.has(word)) uses += words.get(word) ?? 0;
      seen.add(word);
      uses--;
    }
  return { tokens, uses };
}

function move(refusals: ReadonlyMap<string, Refusal>, trace: Trace): ReadonlyMap<string, Refusal> {
  const moved = moving(trace);
  const found = new Map<string, Refusal>();
  for (const refusal of refusals.values()) {
    const changes: Change[] = [];
    for (const change of refusal.changes) {
      const [start, end] = [moved(change.start, 'start'), moved(change.end, 'end')];
      if (start < end) changes.push({ ...change, start, end });
    }
    if (changes.length === refusal.changes.length) found.set(keyOf(changes), { ...refusal, changes });
  }
  return found;
}

/** Where a position of the older text is in the newer one. What was put in belongs to the range around it. */
function moving(trace: Trace): (at: number, edge: 'start' | 'end') => number {
  const kept: { readonly start: number; readonly end: number; readonly to: number }[] = [];
  let to = 0;
  for (const part of trace) {
    if (!('text' in part)) kept.push({ ...part, to });
    to += lengthOf(part);
  }
  const length = to;
  return (at, edge) => {
    if (edge === 'start') {
      // The end of the last kept part that begins at or before it: what was put in after that belongs to it.
      const before = kept.findLast(part => part.start <= at);
      if (!before) return 0;
      return before.to + Math.min(at, before.end) - before.start;
    }
    const after = kept.find(part => part.end >= at);
    if (!after) return length;
    return after.to + Math.max(at, after.start) - after.start;
  };
}
