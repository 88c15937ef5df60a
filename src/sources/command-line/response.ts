/** Expands response files (@file). */
import { UserError } from '../../core/index.js';
import { wordsOf } from './split-words.js';

/** The text of a file, or `undefined` if there is none. Relative names are resolved in the command's folder. */
export type ReadText = (path: string) => string | undefined;

const deepest = 50;

/**
 * Expands response files: `@file` becomes the words in it, recursively. As in GCC, `@name` without such a file is an
 * ordinary argument. The words of a file are then on the command line, where each option can be left out.
 */
export function expandResponseFiles(args: readonly string[], read: ReadText): readonly string[] {
  const open = (words: readonly string[], within: readonly string[]): readonly string[] =>
    words.flatMap(word => {
      if (!/^@./s.test(word)) return [word];
      const path = word.slice(1);
      if (within.includes(path) || within.length >= deepest)
        throw new UserError(
          `The response file ${path} opens itself: ${[...within, path].map(name => `@${name}`).join(' → ')}.`,
          `Remove the cycle, or put the options on the command line.`,
        );
      const text = read(path);
      return text === undefined ? [word] : open(wordsOf(text), [...within, path]);
    });
  return open(args, []);
}
