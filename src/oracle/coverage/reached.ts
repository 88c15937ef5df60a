/** Which statements of a compiled program were reached: they note it themselves, each with its number. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const fileName = '.culprit-ran';

/** Sources of a program that must be compiled before it runs, and their headers. */
export const isCompiledSource = (path: string): boolean =>
  /\.(?:c|i|cc|cpp|cxx|c\+\+|ii|h|hh|hpp|hxx|ipp|tpp)$/i.test(path);

/**
 * How a program is watched whose statements note that they are reached. A number is written as soon as it is known, so it is there even if
 * the program crashes or hangs. What a build makes of such a text is removed: it is no part of a test.
 */
export const watchReached = {
  forBuild: () => ({}),
  built(_root: string, tmp: string): Readonly<Record<string, string>> {
    const file = join(tmp, fileName);
    writeFileSync(file, '');
    return { CULPRIT_RAN: file };
  },
  ran: (_root: string, tmp: string): ReadonlySet<number> => numbersIn(join(tmp, fileName)),
};

/** Some tests empty their temporary folder. A program that is killed while it writes leaves a line without its end. */
function numbersIn(file: string): ReadonlySet<number> {
  try {
    return new Set(readFileSync(file, 'latin1').split('\n').slice(0, -1).map(Number));
  } catch {
    return new Set();
  }
}
