import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { sayingTheSame } from '../../../src/plans/changes/rewritten/same-words.js';

const now =
  "var asian = ['ja', 'zh'];\nvar german = ['de', 'en', 'tr'];\nvar latin = ['fr'];\nfunction f() { return a; }\n";
const artifact: Artifact = { files: new Map([['a.js', { kind: 'file', bytes: Buffer.from(now) }]]) };

const replacing = (what: string, text: string, likely = 1) => {
  const start = now.indexOf(what);
  return { path: 'a.js', start, end: start + what.length, text, likely };
};

test('an item that went from one list to another belongs to both', () => {
  const edits = [
    replacing("['ja', 'zh']", "['ja', 'tr', 'zh']"),
    replacing("['fr']", "['fr', 'tl']"),
    replacing("['de', 'en', 'tr']", "['de', 'en']"),
  ];
  expect(sayingTheSame(artifact, edits)).toEqual([[0, 2]]);
});

test('a word that is in many of them says nothing', () => {
  const edits = ['ja', 'zh', 'de', 'en'].map(word => replacing(`'${word}'`, `one('${word}')`));
  expect(sayingTheSame(artifact, edits)).toEqual([]);
});

test('of those in the same place only the likeliest is in a group', () => {
  const edits = [
    replacing('return a;', 'return size;'),
    replacing("['fr']", "['fr', size]", 1),
    replacing("['fr']", '[size]', 3),
  ];
  expect(sayingTheSame(artifact, edits)).toEqual([[0, 2]]);
});
