/** Which names a declaration introduces, in a notation that nobody has a grammar for here. */
import { namesIn } from './outline-words.js';

/** Words that name nothing in the notations that have them. */
const common = new Set(
  (
    'and array as assert begin body case class const constant create data declare def define do else elsif end enum ' +
    'exception export extern external for foreign from fun func function global if import in include index inline input ' +
    'insert inst integer into internal interface is let local loop macro method module mutable new not null object of on ' +
    'open option or output package parameter pragma private proc procedure process program public raise rec record ref ' +
    'return select signal sort static struct subroutine subtype switch table template then to trait type union update ' +
    'use using val var variable view virtual void when where while wire with'
  ).split(' '),
);
/** A word that so many lines begin with is a word of the notation, too. */
const often = 4;
/** A field or a constructor begins a line once, and is then only mentioned. */
const mostAsFirst = 2;

/** What a declaration's name comes before: its parameters, its type or its value. */
const afterName = /[^\s(](?:[^\S\n]*(?:[(={:;]|->)|[^\S\n]is\b)/;
/** Words as a line has them: `local.get` is one. */
const spelled = /\|[^|\s][^|\n]*\||[@%$][\w.$-]+|[\p{L}_][\p{L}\p{N}_$']*(?:[.-][\p{L}_][\p{L}\p{N}_$']*)*/gu;

/** `%5`, `@main`, `$f`, `|a b|`: nothing but a name looks like this. */
export const isMarked = (word: string): boolean => /^[@%$|]/.test(word);

/** The words that lines of this text begin with again and again, with another word after them. */
export function wordsOfNotation(lines: readonly string[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const first = /^\W*([\p{L}_][\p{L}\p{N}_.'-]*)(?:\s+[\p{L}_@%$|"]|\s*$)/u.exec(line)?.[1]?.toLowerCase();
    if (first !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  return new Set([...common, ...[...counts.keys()].filter(word => counts.get(word)! >= often)]);
}

/** `procedure Sort (X : T)` → sort; `static int *f(` → int, f; `%5 = load` → %5. */
export function namesOfHead(line: string, notation: ReadonlySet<string>): readonly string[] {
  const head = line.replace(/\[[^\]]*\]|"[^"\n]*"/g, ' ');
  const past = afterName.exec(head);
  const words = ((past ? head.slice(0, past.index + 1) : head).match(spelled) ?? []).map(word => word.toLowerCase());
  const marked = words.find(isMarked);
  if (marked !== undefined) return [marked];
  const from = words.findIndex(word => !notation.has(word));
  if (from < 0) return [];
  const after = words.findIndex((word, i) => i > from && notation.has(word));
  const own = words.slice(from, after < 0 ? words.length : after);
  return [own[0]!, own.at(-1)!].flatMap(namesIn);
}

/** By word: how many lines begin with it. */
export function begun(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const word = firstOf(line);
    if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** The fields, constructors or locals that lines of a declaration introduce. */
export function namesOfLines(
  lines: readonly string[],
  counts: ReadonlyMap<string, number>,
  notation: ReadonlySet<string>,
): readonly string[] {
  return lines
    .map(firstOf)
    .filter(word => word !== undefined)
    .filter(word => counts.get(word)! <= mostAsFirst && !notation.has(word));
}

/** The name that a line begins with, if it is followed by what a declaration has after a name. */
const firstOf = (line: string): string | undefined =>
  /^[\s(|]*([\p{L}_][\p{L}\p{N}_$']*)(?=\s*(?:[:,;()=|]|of\b|$))/u.exec(line)?.[1]?.toLowerCase();
