/** The names that declarations of C and C++ give to things. */
import { addAll } from '../../../core/lists.js';
import { scopeSign, type TokenRange } from '../../declarations.js';
import {
  and,
  assign,
  brace,
  colon,
  comma,
  less,
  more,
  paren,
  semicolon,
  square,
  star,
  TokenReader,
} from './token-reader.js';

/** Words before brackets that are not the parameters of a function. */
export const notCalled = new Set(
  '__attribute__ __attribute alignas _Alignas __declspec decltype noexcept sizeof alignof requires explicit throw asm __asm__ __asm typeof __typeof__ __typeof if while for switch static_assert _Static_assert'.split(
    ' ',
  ),
);
/** Words that may be where a name may be. */
const reserved = new Set(
  'auto bool char char8_t char16_t char32_t const consteval constexpr constinit double extern float inline int long mutable noexcept override register short signed static thread_local typename unsigned void volatile wchar_t __extension__ __inline __restrict __thread'.split(
    ' ',
  ),
);
const attributes = new Set(['__attribute__', '__attribute']);

/** What must be known of a declaration to read its names. */
export interface Declared {
  /** Where `enum` is, or −1. */
  readonly enumAt: number;
  readonly template: TokenRange | undefined;
}

export class NameReader extends TokenReader {
  /** Without the words of `struct a {} inline constexpr b;` that name nothing. */
  namesIn = (words: readonly number[]): readonly number[] =>
    words.some(word => reserved.has(this.tokens.words[word]!))
      ? words.filter(word => !reserved.has(this.tokens.words[word]!))
      : words;

  /** The name and the types in `template<> bool a<int> = true;`. */
  protected specialisedIn(
    from: number,
    to: number,
  ): { readonly names: readonly number[]; readonly types: TokenRange } | undefined {
    const { sign, word } = this.tokens;
    for (let at = from; at < to && sign[at] !== assign; at++) {
      if (sign[at] !== less || (word[at - 1] ?? -1) < 0) continue;
      const end = this.anglesEnd(at);
      if (end < 0) return undefined;
      if (sign[end + 1] === assign || sign[end + 1] === semicolon || sign[end + 1] === brace)
        return { names: [word[at - 1]!], types: { from: at, to: end } };
      at = end;
    }
    return undefined;
  }

  /** The names in `int a, *b = c, (*d)(int);`, with the constants of an enumeration. */
  protected declaredIn(from: number, to: number, head: Declared): readonly number[] {
    const { sign, word, partner } = this.tokens;
    const names: number[] = [];
    let depth = 0;
    let isValue = false;
    for (let at = from; at < to; at++) {
      if (this.is(at, 'template') && sign[at + 1] === less) {
        const end = this.anglesEnd(at + 1);
        if (end >= 0) at = end;
        continue;
      }
      if (sign[at] === less && word[at - 1]! >= 0 && !isValue) depth++;
      if (sign[at] === more && depth > 0) depth--;
      if (sign[at] === assign && depth === 0) {
        if (head.template) break;
        isValue = true;
      }
      if (sign[at] === comma) isValue = false;
      if (partner[at]! > at) {
        if (sign[at] === paren && (sign[at + 1] === star || sign[at + 1] === and || sign[at + 2] === scopeSign)) {
          const name = this.lastWord(at, partner[at]!);
          if (name >= 0 && !isValue) names.push(word[name]!);
        }
        if (sign[at] === brace && head.enumAt >= 0 && at > head.enumAt) addAll(names, this.enumerators(at));
        at = partner[at]!;
        continue;
      }
      if (word[at]! < 0 || at === from || depth > 0 || isValue) continue;
      const next = sign[at + 1];
      const isLast = next === semicolon || next === assign || next === comma || next === square || next === brace;
      if (isLast || next === colon || attributes.has(this.wordAt(at + 1) ?? '')) names.push(word[at]!);
    }
    return names;
  }

  protected enumerators(open: number): readonly number[] {
    const { sign, partner, word } = this.tokens;
    const names: number[] = [];
    for (let at = open + 1; at < partner[open]!; at++) {
      const before = sign[at - 1];
      if (word[at]! >= 0 && (at === open + 1 || before === comma)) names.push(word[at]!);
      if (partner[at]! > at) at = partner[at]!;
    }
    return names;
  }

  protected usingAt(from: number, to: number): number {
    for (let at = from; at < Math.min(to, from + 400); at++) {
      if (this.is(at, 'using')) return at;
      if (this.is(at, 'template') && this.tokens.sign[at + 1] === less) {
        const end = this.anglesEnd(at + 1);
        if (end < 0) return -1;
        at = end;
      } else return -1;
    }
    return -1;
  }

  /** The class in front of `::`. */
  protected ownerBefore(scope: number): number | undefined {
    const { sign, word } = this.tokens;
    const at = sign[scope - 1] === more ? this.anglesStart(scope - 1) - 1 : scope - 1;
    return (word[at] ?? -1) >= 0 ? word[at]! : undefined;
  }

  protected isSpecialised = (called: number, parameters: number): boolean => parameters > called + 1;

  /** `a` and `b` of `namespace a::b`, without attributes. */
  protected scopeNames(from: number, open: number): readonly number[] {
    const { sign, word } = this.tokens;
    const names: number[] = [];
    let at = from;
    while (!this.is(at, 'namespace')) at++;
    for (at++; at < open && !notCalled.has(this.wordAt(at) ?? ''); at++) {
      if (word[at]! >= 0 && !this.is(at, 'inline')) names.push(word[at]!);
      if (word[at]! >= 0 && sign[at + 1] !== scopeSign) break;
    }
    return names;
  }
}
