/** Removes what a preprocessor leaves between the declarations of a large text: line markers, blank lines and indentation. */
import type { Circumstance } from '../../../core/index.js';
import { greatestOf } from '../../../core/lists.js';
import { editing, type Span } from '../../edits.js';

const marker = /^[ \t]*#[ \t]*(?:line[ \t]+)?\d+[ \t]+("[^"\n]*")([ \t\d]*)(?:\n|$)/gm;
const blanks = /^(?:[ \t]*\n)+(?:[ \t]+(?=\S))?|^[ \t]+(?=\S)/gm;

/** A question about less of a text than one part in this many has to wait. */
const leastShare = 32;

/** What a question about markers that were refused is worth again: another one, after three quarters of the text are gone. */
const identityOf = (text: string, delta: number): string =>
  `preprocessed ${Math.floor(Math.log2(text.length) / 2)} ${delta}`;

/**
 * Three deltas: the markers that say which lines are of system headers, where compilers report less; all other markers; and whitespace at
 * the beginning of lines. They are half of what is left of a program when most of its declarations are gone.
 */
export function preprocessed(text: string): Circumstance<string> | undefined {
  const markers = [...text.matchAll(marker)];
  const isAnySystem = markers.some(([, , flags]) => stateOf(flags!) !== '');
  let before = '';
  const others = markers.flatMap(({ 0: line, 1: file, 2: flags, index }): readonly Span[] => {
    const state = stateOf(flags!);
    const isSame = state === before;
    before = state;
    return [{ start: index, end: index + line.length, text: isSame || !isAnySystem ? '' : `# 1 ${file}${state}\n` }];
  });
  const circumstance = editing('preprocessed', text, [
    {
      spans: markers.map(({ 0: { length }, index }) => ({ start: index, end: index + length, text: '' })),
      label: 'line markers',
    },
    { spans: others, label: 'line markers within headers' },
    {
      spans: [...text.matchAll(blanks)].map(({ 0: { length }, index }) => ({
        start: index,
        end: index + length,
        text: '',
      })),
      label: 'whitespace before lines',
    },
  ]);
  if (greatestOf(Array.from(circumstance.weights!)) * leastShare <= text.length) return undefined;
  const { edited: _, ...rest } = circumstance;
  return { ...rest, identify: delta => identityOf(text, delta) };
}

/** ` 3` for a system header, ` 3 4` if it is also in C; nothing for other files. That a file begins or ends does not matter. */
function stateOf(flags: string): string {
  const kinds = flags.split(/\s+/).filter(flag => flag === '3' || flag === '4');
  return kinds.map(kind => ` ${kind}`).join('');
}
