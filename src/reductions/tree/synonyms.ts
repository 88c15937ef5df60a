/** Replaces a word of the language by a shorter one that means the same. */
import type { Edit } from '../../syntax/edit.js';
import type { Syntax } from '../../syntax/syntax.js';
import type { TextPass } from './pass.js';

/** A longer text has something larger to lose than a few letters. */
const fewLetters = 8_000;

/**
 * A keyword, type or built-in name by a shorter synonym (`__attribute__` by `__attribute`), at all its places at once: one edit
 * for each word that the text has. The profile of the language lists them. The test decides whether it really means the same.
 */
export function synonyms(syntax: Syntax): TextPass {
  return {
    name: 'synonym',
    edits(text) {
      if (text.length > fewLetters) return [];
      return syntax.language.synonyms.flatMap(([long, short]): Edit[] => {
        const places = [...text.matchAll(new RegExp(String.raw`(?<![\w$])(?:${long})(?![\w$])`, 'g'))];
        if (places.length === 0) return [];
        const spans = places.map(match => ({
          start: match.index,
          end: match.index + match[0].length,
          text: short.replace('$1', match[1] ?? ''),
        }));
        return [{ spans, label: `${places[0]![0]} → ${spans[0]!.text}` }];
      });
    },
  };
}
