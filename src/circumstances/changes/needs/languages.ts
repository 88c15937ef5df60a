/** Files whose declarations are read, by their names. */
import type { Changes } from '../changes.js';

export const source = /\.(?:[chily]|cc|cpp|cxx|hh|hpp|hxx|inc)$/i;
/** JavaScript and TypeScript. */
export const script = /\.[cm]?[jt]sx?$/i;
export const header = /\.(?:h|hh|hpp|hxx|inc)$/i;

/** Whether a file is in a language whose declarations are read. */
export const hasDeclarations = ({ files }: Changes, file: number): boolean =>
  source.test(files[file]!.newPath ?? files[file]!.oldPath ?? '');
