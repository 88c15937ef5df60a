/** What declarations of C and C++ are read with: words, signs and brackets at a place among the tokens. */
import type { Tokens } from '../../declarations.js';

const code = (sign: string): number => sign.charCodeAt(0);
export const semicolon = code(';');
export const comma = code(',');
export const assign = code('=');
export const colon = code(':');
export const less = code('<');
export const more = code('>');
export const paren = code('(');
export const close = code(')');
export const square = code('[');
export const brace = code('{');
export const tilde = code('~');
export const star = code('*');
export const and = code('&');

export class TokenReader {
  constructor(protected readonly tokens: Tokens) {}

  protected is = (at: number, word: string): boolean => this.wordAt(at) === word;

  protected wordAt(at: number): string | undefined {
    return this.tokens.words[this.tokens.word[at] ?? -1];
  }

  protected firstWord = (from: number, to: number): string | undefined => (from < to ? this.wordAt(from) : undefined);

  protected endOf(from: number, to: number): number {
    let at = from;
    while (at < to && this.tokens.sign[at] !== semicolon) at++;
    return at;
  }

  protected find(from: number, to: number, wanted: number): number {
    const { sign } = this.tokens;
    for (let at = from; at < to && sign[at] !== semicolon; at++) if (sign[at] === wanted) return at;
    return -1;
  }

  protected has(from: number, to: number, word: string): boolean {
    for (let at = from; at < to; at++) if (this.is(at, word)) return true;
    return false;
  }

  protected hasSign(from: number, to: number, wanted: number): boolean {
    const { sign, partner } = this.tokens;
    for (let at = from; at < to; at++) {
      if (sign[at] === wanted) return true;
      if (partner[at]! > at) at = partner[at]!;
    }
    return false;
  }

  protected lastWord(from: number, to: number): number {
    for (let at = to - 1; at > from; at--) if (this.tokens.word[at]! >= 0) return at;
    return -1;
  }

  /** The end of `<…>`; −1 if it is a comparison. */
  protected anglesEnd(open: number): number {
    const { sign, partner, count } = this.tokens;
    let depth = 0;
    for (let at = open; at < count; at++) {
      if (sign[at] === less) depth++;
      else if (sign[at] === more && --depth === 0) return at;
      else if (sign[at] === semicolon) return -1;
      else if (partner[at]! > at) at = partner[at]!;
    }
    return -1;
  }

  protected anglesStart(close: number): number {
    const { sign, partner } = this.tokens;
    let depth = 0;
    for (let at = close; at >= 0; at--) {
      if (sign[at] === more) depth++;
      else if (sign[at] === less && --depth === 0) return at;
      else if (sign[at] === semicolon) return 0;
      else if (partner[at]! >= 0 && partner[at]! < at) at = partner[at]!;
    }
    return 0;
  }
}
