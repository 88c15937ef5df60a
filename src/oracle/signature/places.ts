/** The places of an input that a program names when it fails: `a.c:12:3`, `a.ts(12,3)`, `File "a.py", line 12`. */
import { basename } from 'node:path';
import type { Output } from './output.js';

/** A line of a file, under the name that the program has for it. */
export interface NamedPlace {
  readonly file: string;
  readonly line: number;
}

/** What a failure is about is in its first lines or in its last ones: this many of each. */
const mostAtEnds = 6;

/** It begins where a word does: a long word is then read only once. */
const place = /(?<![^\s:"'`()[\]<>,])([^\s:"'`()[\]<>,]+)(?::|\(|["']?:?,? (?:on )?line )(\d{1,9})\b/g;
/** `a.scss: SyntaxError: … (12:3)`. */
const placeAtEnd = /\((\d{1,9}):\d+\)\s*$/;
/** What is only a warning is all over a large input. */
const isAside = /\bwarning\b/i;

/** Those in files with these names, each once, in the order in which they are printed. */
export function placesIn({ lines }: Output, names: Iterable<string>): readonly NamedPlace[] {
  const known = new Set([...names].map(name => basename(name)));
  const found = new Map<string, NamedPlace>();
  const add = (file: string, line: string): void => {
    if (known.has(basename(file))) found.set(`${file}:${line}`, { file, line: Number(line) });
  };
  for (const line of lines) {
    if (isAside.test(line)) continue;
    for (const [, file, number] of line.matchAll(place)) add(file!, number!);
    const last = placeAtEnd.exec(line)?.[1];
    const file = last === undefined ? undefined : [...known].find(name => line.includes(name));
    if (file !== undefined) add(file, last!);
  }
  const all = [...found.values()];
  return all.length <= 2 * mostAtEnds ? all : [...all.slice(0, mostAtEnds), ...all.slice(-mostAtEnds)];
}
