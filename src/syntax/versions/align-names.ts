/**
 * Gives the local variables of one text the names that another version of it has for them. A minifier names all variables anew as soon as one
 * comes or goes, so two minified versions differ in almost every token; once the names agree, only the real differences are left.
 */
import { hunksBetween, runsBetween } from '../../core/diff.js';
import { addTo } from '../../core/lists.js';
import { type Local, type LocalNames, type Range, respell } from '../names/local-names.js';
import { apply } from '../text-cut.js';
import type { SimilarFunctions } from './similar-functions.js';

export interface NamedText {
  readonly text: string;
  readonly names: LocalNames;
}

/** The old text, which does the same as before, under the names of the new one. */
export function alignNames(old: NamedText, now: NamedText): string {
  const before = tokensOf(old);
  const after = tokensOf(now);
  // The first look only sees where variables are; the second one also sees which ones agree.
  const rough = matchLocals(before, after, new Map());
  const matched = matchLocals(before, after, rough);
  return rename(old, namesFor(old, now, matched));
}

/** The same for two texts that have little in common as a whole: names are compared inside each of these functions. */
export function alignNamesIn(functions: readonly SimilarFunctions[], old: NamedText, now: NamedText): string {
  const before = tokensOf(old);
  const after = tokensOf(now);
  const stretches = functions.map(each => [stretchOf(before, each.old), stretchOf(after, each.new)] as const);
  let matched: ReadonlyMap<number, number> = new Map();
  // Functions that call each other agree on more names each time.
  for (let look = 0; look < looks; look++) matched = matchLocals(before, after, matched, stretches);
  return rename(old, namesFor(old, now, matched));
}

/** How often the names inside functions are compared. */
const looks = 3;

/** From a token up to another one. */
type Stretch = readonly [from: number, to: number];

function stretchOf({ starts }: Tokens, [from, to]: Range): Stretch {
  return [starts.indexOf(from), starts.findLastIndex(start => start < to) + 1];
}

interface Tokens {
  readonly texts: readonly string[];
  /** Where each begins. */
  readonly starts: readonly number[];
  /** The local that each token mentions, or −1. */
  readonly locals: Int32Array;
}

const token = /[\w$\u0080-\uffff]+|\s+|[\s\S]/g;

function tokensOf({ text, names }: NamedText): Tokens {
  const localAt = new Map<number, number>();
  for (const [local, { mentions }] of names.locals.entries())
    for (const { start } of mentions) localAt.set(start, local);
  const found = [...text.matchAll(token)];
  return {
    texts: found.map(([each]) => each),
    starts: found.map(({ index }) => index),
    locals: Int32Array.from(found, ({ index }) => localAt.get(index) ?? -1),
  };
}

/** Which local of the new text an old one is: the one that is most often in its place. Each is matched once. */
function matchLocals(
  before: Tokens,
  after: Tokens,
  known: ReadonlyMap<number, number>,
  stretches: readonly (readonly [Stretch, Stretch])[] = [[whole(before), whole(after)]],
): ReadonlyMap<number, number> {
  const taken = new Set(known.values());
  const seen = ({ texts, locals }: Tokens, nameOf: (local: number) => string) =>
    texts.map((text, i) => (locals[i]! < 0 ? text : nameOf(locals[i]!)));
  const old = seen(before, local => `local ${known.get(local) ?? '?'}`);
  const now = seen(after, local => `local ${taken.has(local) ? local : '?'}`);
  const votes = new Map<string, { readonly pair: readonly [number, number]; count: number }>();
  for (const { a, b, room } of stretches.flatMap(([left, right]) => [...inCommon(old, now, left, right)])) {
    const pair = [before.locals[a]!, after.locals[b]!] as const;
    if (pair[0] < 0) continue;
    const vote = votes.get(pair.join());
    if (vote) vote.count += room;
    else votes.set(pair.join(), { pair, count: room });
  }
  const matched = new Map<number, number>();
  const used = new Set<number>();
  for (const { pair } of [...votes.values()].sort((a, b) => b.count - a.count)) {
    if (matched.has(pair[0]) || used.has(pair[1])) continue;
    matched.set(...pair);
    used.add(pair[1]);
  }
  return matched;
}

/** A token that both have: its places, and how far it is from a token that only one of them has. */
interface Common {
  readonly a: number;
  readonly b: number;
  readonly room: number;
}

/** Beyond this distance, a token is surely in its place. */
const farthest = 16;

function* inCommon(
  old: readonly string[],
  now: readonly string[],
  [from, to]: Stretch,
  [start, end]: Stretch,
): Generator<Common> {
  const hunks = hunksBetween(old.slice(from, to), now.slice(start, end));
  for (const run of runsBetween(hunks, to - from))
    for (let at = run.start; at < run.end; at++)
      yield {
        a: from + at,
        b: start + at + run.shift,
        room: Math.min(at - run.start + 1, run.end - at, farthest),
      };
}

const whole = ({ texts }: Tokens): Stretch => [0, texts.length];

/** The name of each old local: that of its match, if no other variable would be taken for it then. */
function namesFor(old: NamedText, now: NamedText, matched: ReadonlyMap<number, number>): readonly string[] {
  const { locals, fixed } = old.names;
  const names = locals.map(({ name }) => name);
  const given = new Map<string, Local[]>();
  const isFree = (name: string, local: Local): boolean =>
    !fixed.get(name)?.some(at => contains(local.scope, at)) &&
    !given.get(name)?.some(other => isConfused(local, other));
  const fresh = freshNames(old.text, now.text);
  const give = (at: number, wanted: string): void => {
    const local = locals[at]!;
    const name = isFree(wanted, local) ? wanted : fresh(wanted);
    names[at] = name;
    addTo(given, name, local);
  };
  for (const [at, match] of matched) give(at, now.names.locals[match]!.name);
  for (const [at, { name }] of locals.entries()) if (!matched.has(at)) give(at, name);
  return names;
}

/** Whether two variables can't have the same name: one of them hides the other at a place that mentions it. */
function isConfused(a: Local, b: Local): boolean {
  if (a.scope[0] === b.scope[0] && a.scope[1] === b.scope[1]) return true;
  const [outer, inner] = contains(a.scope, b.scope[0]) && a.scope[1] >= b.scope[1] ? [a, b] : [b, a];
  return outer.mentions.some(({ start }) => contains(inner.scope, start));
}

const contains = ([from, to]: Local['scope'], at: number): boolean => at >= from && at < to;

/** Names that neither text has. */
function freshNames(...texts: readonly string[]): (like: string) => string {
  const known = new Set(texts.flatMap(text => text.match(/[\w$\u0080-\uffff]+/g) ?? []));
  return like => {
    let number = 1;
    while (known.has(`${like}_${number}`)) number++;
    known.add(`${like}_${number}`);
    return `${like}_${number}`;
  };
}

function rename({ text, names: { locals } }: NamedText, to: readonly string[]): string {
  const spans = locals.flatMap(({ name, mentions }, at) =>
    name === to[at]
      ? []
      : mentions.map(mention => ({ start: mention.start, end: mention.end, text: respell(mention, name, to[at]!) })),
  );
  return apply(text, { spans });
}
