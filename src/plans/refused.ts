/** Remembers across passes which edits were refused, so that only what changed since is asked again. */
import { createHash } from 'node:crypto';
import { type Change, type Circumstance, type Configuration, deltasOf, intersection, size } from '../core/index.js';
import { type FileTraces, lengthOf, type Trace } from '../core/trace.js';

/**
 * The edits that were refused one at a time, by file and by what they change. Places move with the text: after an accepted
 * edit, each is where the trace of that edit says. So an edit is recognised although names became shorter and whitespace is
 * gone.
 */
type RefusedEdits = ReadonlyMap<string, ReadonlyMap<string, Refusal>>;

export interface Refused {
  readonly edits: RefusedEdits;
  /** What deltas that say what they are about were about. */
  readonly parts: ReadonlySet<string>;
}

interface Refusal extends Reach {
  readonly changes: readonly Change[];
}

/**
 * Why an edit may be worth another question: it removes something else than before, its neighbours are others, or what it
 * removes is used less.
 */
interface Reach {
  /** How many tokens there are from its first place to its last. */
  readonly tokens: number;
  /** How often the words that it removes are used elsewhere. */
  readonly uses: number;
  /** How often the words that it puts in are there already: a word that another thing got as its name means something else. */
  readonly meanings: number;
  /** The sign before and after each of its places; all words are alike. */
  readonly between: string;
}

export const nothingRefused: Refused = { edits: new Map(), parts: new Set() };

/** A larger text has too many places, and most of its edits are large parts that change all the time. */
const largestText = 65_536;

export interface Searched<Artifact> {
  readonly circumstance: Circumstance<Artifact>;
  /** What the search kept. */
  readonly best: Configuration;
  /** The deltas that it could not remove together, one set for each question. */
  readonly refusedSets: readonly Configuration[];
}

/** Adds what a search refused: each delta that is the only one of a refused set that is still there. */
export function refuse<Artifact>(refused: Refused, searched: Searched<Artifact>): Refused {
  const { circumstance, best, refusedSets } = searched;
  const look = lookerIn(circumstance);
  if (!look && !circumstance.identify) return refused;
  const alone = refusedSets.flatMap(set => {
    const needed = intersection(best, set);
    return size(needed) === 1 ? [...deltasOf(needed)] : [];
  });
  const edits = new Map([...refused.edits].map(([file, known]) => [file, new Map(known)]));
  const parts = new Set(refused.parts);
  for (const delta of alone) {
    if (circumstance.identify) parts.add(digest(circumstance.identify(delta)));
    const seen = look?.(delta);
    if (!seen) continue;
    const known = edits.get(seen.file) ?? new Map<string, Refusal>();
    edits.set(seen.file, known.set(keyOf(seen.changes), { changes: seen.changes, ...seen.reach() }));
  }
  return { edits, parts };
}

/** The same places in the text that a search made. */
export function refusedAfter<Artifact>(
  refused: Refused,
  { edited, trace }: Circumstance<Artifact>,
  best: Configuration,
): Refused {
  if (!edited || !trace || refused.edits.size === 0) return { ...nothingRefused, parts: refused.parts };
  const made: Trace | FileTraces = trace(best);
  const edits = new Map<string, ReadonlyMap<string, Refusal>>();
  for (const [file, known] of refused.edits) {
    const moved = made instanceof Map ? (made as FileTraces).get(file) : (made as Trace);
    if (moved === undefined) edits.set(file, known);
    else if (moved !== 'unknown') edits.set(file, move(known, moved));
  }
  return { edits, parts: refused.parts };
}

/**
 * Which deltas were refused before and have not changed since; `undefined` if none is known. In the last round, other
 * neighbours are a change too.
 */
export function refusedIn<Artifact>(
  refused: Refused,
  circumstance: Circumstance<Artifact>,
  isLast: boolean,
): ((delta: number) => boolean) | undefined {
  const { identify } = circumstance;
  if (identify) return refused.parts.size === 0 ? undefined : delta => refused.parts.has(digest(identify(delta)));
  const look = refused.edits.size === 0 ? undefined : lookerIn(circumstance);
  return (
    look &&
    (delta => {
      const seen = look(delta);
      const before = seen && refused.edits.get(seen.file)?.get(keyOf(seen.changes));
      if (!before) return false;
      const { tokens, uses, meanings, between } = seen.reach();
      if (meanings !== before.meanings) return false;
      return tokens === before.tokens && uses >= before.uses && (!isLast || between === before.between);
    })
  );
}

/** Parts may be long. */
const digest = (identity: string): string => createHash('sha256').update(identity).digest('base64url');

interface Seen {
  readonly file: string;
  readonly changes: readonly Change[];
  readonly reach: () => Reach;
}

/**
 * What a delta changes; nothing if it changes several files, or a large one. An edit that puts in more than a token (it moves
 * a value, or inlines a call) is never remembered: whether it works depends on what it puts in.
 */
function lookerIn<Artifact>({ edited }: Circumstance<Artifact>): ((delta: number) => Seen | undefined) | undefined {
  if (!edited || [...edited.texts.values()].every(text => text.length > largestText)) return undefined;
  const words = new Map<string, ReadonlyMap<string, number>>();
  return delta => {
    const all = edited.changes(delta);
    const file = all[0]?.file;
    const text = file === undefined ? undefined : edited.texts.get(file);
    if (file === undefined || text === undefined || text.length > largestText) return undefined;
    if (all.some(change => change.file !== file)) return undefined;
    const changes = all.flatMap(change => trimmed(change, text));
    if (!changes.every(({ text: put }) => put === '' || isOneToken(put))) return undefined;
    const reach = (): Reach => {
      const counts = words.get(file) ?? wordsIn(text);
      words.set(file, counts);
      return reachOf(changes, text, counts);
    };
    return changes.length > 0 ? { file, changes, reach } : undefined;
  };
}

const isOneToken = (text: string): boolean => /^(?:[\p{L}\p{N}_$]+|\S)$/u.test(text);

const keyOf = (changes: readonly Change[]): string =>
  changes.map(({ start, end, text }) => `${start} ${end} ${text}`).join('\n');

/** Without whitespace at its edges: whether a deletion includes the blank before it makes no difference. */
function trimmed(change: Change, base: string): readonly Change[] {
  const removed = base.slice(change.start, change.end);
  const start = change.start + (removed.length - removed.trimStart().length);
  const end = start + removed.trim().length;
  return start < end ? [{ ...change, start, end, text: change.text.trim() }] : [];
}

const tokenPattern = /[\p{L}\p{N}_$]+|\S/gu;
const wordPattern = /^[\p{L}_$]/u;

function wordsIn(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [token] of text.matchAll(tokenPattern))
    if (wordPattern.test(token)) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

function reachOf(changes: readonly Change[], text: string, words: ReadonlyMap<string, number>): Reach {
  const tokens = changes.flatMap(({ start, end }) => text.slice(start, end).match(tokenPattern) ?? []);
  const removed = tokens.filter(token => wordPattern.test(token));
  const everywhere = [...new Set(removed)].reduce((sum, word) => sum + (words.get(word) ?? 0), 0);
  const between = changes.map(({ start, end }) => signBefore(text, start) + signAfter(text, end)).join('');
  const meanings = changes.reduce((sum, change) => sum + (words.get(change.text) ?? 0), 0);
  const extent = text.slice(changes[0]!.start, changes.at(-1)!.end);
  return { tokens: extent.match(tokenPattern)?.length ?? 0, uses: everywhere - removed.length, meanings, between };
}

const signBefore = (text: string, at: number): string =>
  signOf(/\S(?=\s*$)/u.exec(text.slice(Math.max(0, at - nearby), at)));
const signAfter = (text: string, at: number): string => signOf(/\S/u.exec(text.slice(at, at + nearby)));
const signOf = (found: RegExpExecArray | null): string => (found?.[0] ?? ' ').replace(/[\p{L}\p{N}_$]/u, 'w');

/** How far away a neighbour may be; whatever is behind more blanks than this is none. */
const nearby = 100;

function move(known: ReadonlyMap<string, Refusal>, trace: Trace): ReadonlyMap<string, Refusal> {
  const { startOf, endOf } = movesBy(trace);
  const found = new Map<string, Refusal>();
  for (const refusal of known.values()) {
    const changes = refusal.changes.flatMap(change => {
      const [start, end] = [startOf(change.start), endOf(change.end)];
      return start !== undefined && end !== undefined && start < end ? [{ ...change, start, end }] : [];
    });
    if (changes.length === refusal.changes.length) found.set(keyOf(changes), { ...refusal, changes });
  }
  return found;
}

/**
 * Where the edges of a range of the older text are in the newer one. A shorter name at an edge belongs to the range; with
 * anything else there, it is another range.
 */
function movesBy(trace: Trace) {
  const kept: { readonly start: number; readonly end: number; readonly to: number; readonly putBefore: string }[] = [];
  let length = 0;
  let put = '';
  for (const part of trace) {
    if ('text' in part) put = part.text;
    else {
      kept.push({ ...part, to: length, putBefore: put });
      put = '';
    }
    length += lengthOf(part);
  }
  const putLast = put;
  /** How many kept parts are before the first that does not satisfy a condition. */
  const countWhile = (isBefore: (part: (typeof kept)[number]) => boolean): number => {
    let [low, high] = [0, kept.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(kept[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const isSame = (text: string, isAtEdge: boolean): boolean => text === '' || (isAtEdge && isOneToken(text));
  return {
    startOf(at: number): number | undefined {
      const index = countWhile(({ start }) => start <= at);
      const part = kept[index - 1];
      if (part && at < part.end) return part.to + at - part.start;
      const text = index < kept.length ? kept[index]!.putBefore : putLast;
      return isSame(text, at === (part?.end ?? 0)) ? (part ? part.to + part.end - part.start : 0) : undefined;
    },
    endOf(at: number): number | undefined {
      const part = kept[countWhile(({ end }) => end < at)];
      if (part && at > part.start) return part.to + at - part.start;
      if (part) return isSame(part.putBefore, at === part.start) ? part.to : undefined;
      return isSame(putLast, true) ? length : undefined;
    },
  };
}
