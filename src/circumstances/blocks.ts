/** A text without a grammar as blocks: subprograms that end with a line of their own, or paragraphs. */
import type { Circumstance } from '../core/index.js';
import { pieces } from './text.js';

/** `END`, `end procedure Sort;`, `});`. */
const endOfBlock = /^([^\S\r\n]*)(end\b[^\r\n]{0,80}|[\])}]+[;,.]?)[^\S\r\n]*(?:\r\n|\n|\r|$)/gim;
const endOfParagraph = /(?:\r\n|\n|\r)(?:[^\S\r\n]*(?:\r\n|\n|\r))+/g;

/** Fewer blocks are removed as quickly by lines. */
const fewestBlocks = 8;

/**
 * The outermost blocks, each up to the line that ends it. In most languages that nobody has a grammar for here, that line is an
 * `end` or a bracket, with less indentation than others. A bare `end` closes a subprogram even if `end if` is no further to
 * the right, as in Fortran of fixed form. Without such lines, paragraphs are the blocks.
 *
 * @example
 * ```ts
 * blocks('sub a\n  print\nend\n'.repeat(9))?.count; // → 9
 * ```
 */
export function blocks(text: string): Circumstance<string> | undefined {
  const ends = [...text.matchAll(endOfBlock)].map(({ 0: line, 1: indent, 2: words, index }) => ({
    indent: indent!.length,
    isBare: /^end\W*$/i.test(words!),
    at: index + line.length,
  }));
  const least = ends.reduce((smallest, { indent }) => Math.min(smallest, indent), Number.POSITIVE_INFINITY);
  const outermost = ends.filter(({ indent }) => indent === least);
  const bare = outermost.filter(({ isBare }) => isBare);
  const found = (bare.length >= fewestBlocks ? bare : outermost).map(({ at }) => at);
  const cuts = found.length >= fewestBlocks ? found : paragraphsOf(text);
  if (cuts.length < fewestBlocks) return undefined;
  return pieces('block', text, [...new Set([0, ...cuts, text.length])]);
}

const paragraphsOf = (text: string): readonly number[] =>
  [...text.matchAll(endOfParagraph)].map(({ 0: gap, index }) => index + gap.length);
