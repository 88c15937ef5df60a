/** The head of a declaration of C or C++: what comes before its body, token by token. */
import { scopeSign, type TokenRange } from '../../declarations.js';
import { NameReader, notCalled } from './names.js';
import { and, assign, close, colon, less, more, paren, semicolon, square, star } from './token-reader.js';

const classWords = new Set(['class', 'struct', 'union']);

/** What is known about the tokens of a declaration so far. */
export interface Head {
  /** The name of the class around it, or −1. */
  readonly inClass: number;
  classAt: number;
  enumAt: number;
  /** The bracket of a function's parameters. */
  parameters: number;
  /** The word before it. */
  called: number;
  operator: boolean;
  assigned: boolean;
  /** The colon before what a constructor initialises, or before the classes that a class inherits from. */
  colon: number;
  depth: number;
  template: TokenRange | undefined;
}

export class HeadReader extends NameReader {
  /** One token of a head, or a bracket with everything in it; returns the last token that was read. */
  protected step(at: number, from: number, head: Head, isPast: boolean): number {
    const { sign, partner, word } = this.tokens;
    const each = this.wordAt(at);
    if (each === 'template' && sign[at + 1] === less) {
      const end = this.anglesEnd(at + 1);
      if (end < 0) return at;
      head.template = { from: head.template?.from ?? at + 2, to: end };
      return end;
    }
    if (each === 'operator' && head.parameters < 0 && !head.assigned) {
      let open = at + 1;
      if (sign[open] === paren) open += 2;
      while (open < this.tokens.count && sign[open] !== paren && sign[open] !== semicolon) open++;
      if (sign[open] !== paren) return at;
      Object.assign(head, { operator: true, parameters: open, called: at });
      return partner[open]!;
    }
    if (each !== undefined) {
      if (isPast || head.assigned || head.parameters >= 0 || head.depth > 0) return at;
      if (classWords.has(each) && head.colon < 0) head.classAt = at;
      if (each === 'enum') head.enumAt = at;
      return at;
    }
    switch (sign[at]) {
      case less:
        if (!head.assigned && (word[at - 1] ?? -1) >= 0 && head.parameters < 0) head.depth++;
        return at;
      case more:
        if (head.depth > 0) head.depth--;
        return at;
      case assign:
        if (head.depth === 0) head.assigned = true;
        return at;
      case colon:
        if (head.depth === 0 && head.colon < 0) head.colon = at;
        return at;
      case square:
        return partner[at]!;
      case paren:
        if (head.parameters < 0 && !head.assigned && head.depth === 0 && at > from) this.call(at, head);
        return partner[Math.max(at, head.parameters)]!;
      default:
        return at;
    }
  }

  /** Brackets after a word, which are parameters unless the word says otherwise. */
  protected call(at: number, head: Head): void {
    const { sign, word, partner } = this.tokens;
    const inner = sign[at + 1];
    if (inner === star || inner === and || (word[at + 1]! >= 0 && sign[at + 2] === scopeSign && sign[at + 3] === star))
      return;
    if (head.classAt >= 0 && head.colon >= 0) return;
    // `int (f)(int)`, so that `f` is no macro.
    if (word[at + 1]! >= 0 && partner[at] === at + 2 && sign[at + 3] === paren) {
      Object.assign(head, { parameters: at + 3, called: at + 1 });
      return;
    }
    let named = at - 1;
    if (sign[named] === more) named = this.anglesStart(named) - 1;
    if ((word[named] ?? -1) < 0 || notCalled.has(this.wordAt(named)!)) return;
    Object.assign(head, { parameters: at, called: named });
  }

  /** Whether a brace opens the body of a function. */
  protected isBody(at: number, head: Head): boolean {
    const { sign, partner, word } = this.tokens;
    if (head.parameters < 0 || head.assigned) return false;
    const before = at - 1;
    if (sign[before] === close && this.is(partner[before]! - 1, 'requires')) return false;
    if (this.is(before, 'requires')) return false;
    const isInitialised = head.colon > head.parameters && (word[before]! >= 0 || sign[before] === more);
    return !isInitialised || this.is(before, 'try');
  }
}
