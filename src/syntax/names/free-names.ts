/** Names that a text uses without a declaration around them, in any language with a grammar. */

import { languageOf } from '../languages/index.js';
import { hostTree, syntaxOf } from '../syntax.js';
import { freeByName } from './bindings.js';

/** Which of these names are free in a text. Reads many texts of one file, after what it needs is loaded. */
export type FreeNames = (text: string, names: ReadonlySet<string>) => ReadonlySet<string>;

/** Exact for JavaScript and TypeScript, by names and scopes for the others; nothing if the language has no scopes to read. */
export async function freeNamesFor(path: string): Promise<FreeNames | undefined> {
  const language = languageOf(path);
  if (!language || language.markup || language.names !== true) return undefined;
  if (language.compiler !== undefined) {
    const { freeNamesReader } = await import('./typescript.js');
    const read = await freeNamesReader(language.compiler);
    return unlessItThrows((text, names) => read(text, name => names.has(name)));
  }
  const syntax = await syntaxOf(language);
  return unlessItThrows(text => {
    const tree = hostTree(text, syntax);
    return tree === undefined ? new Set() : freeByName(tree);
  });
}

/** A compiler may crash on its input: then nothing is known about the text. */
const unlessItThrows =
  (read: FreeNames): FreeNames =>
  (text, names) => {
    try {
      return read(text, names);
    } catch {
      return new Set();
    }
  };
