/** Code that a Node program runs without loading it from its file: the scripts of a page, and texts that it evaluates. */
import type { Artifact } from '../../../core/artifact.js';
import { textAt } from './runtime.js';

/** A part of a file that may be run as a text of its own. */
export interface LoadedText {
  readonly path: string;
  readonly start: number;
  readonly text: string;
}

/** Whether a file may be a page, whose scripts a program may run. */
export const isPage = (path: string): boolean => /\.x?html?$/i.test(path);

/** A shorter one may be mistaken for another one, and removes little. */
const shortest = 200;

const inline = /<script\b[^>]*>([\s\S]*?)<\/script\b/gi;

/** The scripts in a page. */
export const scriptsIn = (page: string): readonly { readonly start: number; readonly text: string }[] =>
  [...page.matchAll(inline)].map(({ 0: whole, 1: text, index }) => ({
    start: index + whole.indexOf('>') + 1,
    text: text!,
  }));

/** What a program may run as a text: files of code as they are, and the scripts in pages. */
export function loadedTexts(files: Artifact['files'], isCode: (path: string) => boolean): readonly LoadedText[] {
  const found = [...files.keys()].flatMap((path): LoadedText[] => {
    const text = isCode(path) || isPage(path) ? textAt(files, path) : undefined;
    if (text === undefined) return [];
    return isCode(path) ? [{ path, start: 0, text }] : scriptsIn(text).map(script => ({ path, ...script }));
  });
  return found.filter(({ text }) => text.length >= shortest);
}

interface Ran {
  readonly functions: readonly {
    readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number }[];
  }[];
}

/**
 * Whether a script that V8 reports is this text. It gives neither the text nor its place, so the length counts, and whether the functions
 * end where functions of this text end.
 */
export function isOf({ text }: LoadedText, { functions }: Ran): boolean {
  const spans = functions.flatMap(({ ranges }) => ranges.slice(0, 1));
  if (!spans.some(({ startOffset, endOffset }) => startOffset === 0 && endOffset === text.length)) return false;
  const inner = spans.filter(({ endOffset }) => endOffset < text.length);
  const closed = inner.filter(({ endOffset }) => text[endOffset - 1] === '}');
  return closed.length * 2 >= inner.length;
}
