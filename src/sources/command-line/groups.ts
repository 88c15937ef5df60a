/** Groups the words of a command: an option with its value, or one argument. */
import type { TakesValue } from './knowledge.js';

/** Words args[from, to) that only make sense together: an option and its value, or one argument. */
export interface Group {
  readonly kind: 'option' | 'argument' | 'end';
  readonly from: number;
  readonly to: number;
  /** Whether the value belongs to the option is a guess: `-v input` may be a switch and an argument. */
  readonly uncertain: boolean;
}

/** `-1`, `-0.5`, `-` are values or arguments, not options. */
const isOption = (word: string): boolean => /^-[^\d.]/.test(word) || /^-\.[^\d]/.test(word);

/**
 * Groups arguments. A value in the same word (`--std=c99`, `-DX`, `-O2`) needs no guess. A word after an option is its
 * value if `takes` says so; if that is unknown, it is treated as its value and the group is marked uncertain.
 */
export function groupsOf(args: readonly string[], takes: TakesValue): readonly Group[] {
  const groups: Group[] = [];
  let ended = false;
  for (let i = 0; i < args.length; ) {
    const word = args[i]!;
    if (ended || !isOption(word)) groups.push({ kind: 'argument', from: i, to: ++i, uncertain: false });
    else if (word === '--') {
      ended = true;
      groups.push({ kind: 'end', from: i, to: ++i, uncertain: false });
    } else {
      const next = args[i + 1];
      const known = /^--[^=]+=/.test(word) ? false : takes(word);
      // An option that is known to take the next word takes it, whatever the word looks like: `-Xclang -fno-pch`.
      const value = next !== undefined && (known ?? (!isOption(next) && mayTake(word)));
      groups.push({ kind: 'option', from: i, to: i + (value ? 2 : 1), uncertain: value && known === undefined });
      i += value ? 2 : 1;
    }
  }
  return groups;
}

/** `-x=1` already has its value. `-O2` and `-Wall` of an unknown tool may still take one: that stays a guess. */
const mayTake = (word: string): boolean => !word.includes('=');
