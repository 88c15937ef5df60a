/** Shortens a name that crosses files, in all of them at once. */
import { shortWords } from '../../syntax/names/names.js';
import { put } from '../../syntax/text-cut.js';
import type { Span } from '../edits.js';
import type { FolderEdit } from './edits.js';
import { sharedNames } from './shared.js';
import type { Source } from './sources.js';

export function renameAcrossFiles(sources: readonly Source[]): readonly FolderEdit[] {
  const used = new Map(sources.map(({ path, text }) => [path, new Set(text.match(/[\p{L}\p{N}_$]+/gu) ?? [])]));
  const edits: FolderEdit[] = [];
  const all = sharedNames(sources)
    .filter(({ name }) => name.length > 1)
    .map(({ name, mentions }) => {
      // By spelling alone, even if it is a different thing of that name, so that no two become one.
      const places = mentions.map(({ source }) => ({ source, leaves: source.leaves.get(name)! }));
      return { name, places, gain: name.length * places.reduce((sum, { leaves }) => sum + leaves.length, 0) };
    })
    .sort((a, b) => b.gain - a.gain);
  for (const { name, places } of all) {
    const taken = places.map(({ source }) => used.get(source.path)!);
    const short = firstOf(shortWords(), word => taken.every(words => !words.has(word)));
    if (short.length >= name.length) continue;
    for (const words of taken) words.add(short);
    const spans = new Map<string, Span[]>(
      places.map(({ source, leaves }) => [
        source.path,
        leaves.map(leaf => put(source.text, source.tree.start[leaf]!, source.tree.end[leaf]!, short)),
      ]),
    );
    edits.push({ spans, label: `${name} → ${short} in ${places.length} files` });
  }
  return edits.reverse();
}

function firstOf(words: Generator<string>, isGood: (word: string) => boolean): string {
  for (const word of words) if (isGood(word)) return word;
  return '';
}
