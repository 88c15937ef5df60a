/** Removes from an output what belongs to the run or to the input, and not to the failure. */
export interface Volatile {
  /** Workspace paths, and the names of the files that are reduced. */
  readonly volatile: readonly string[];
  /**
   * Does this word occur in the input? Always the ORIGINAL input, never the candidate: if a word were dropped for only one
   * of the two, the same failure would look like another.
   */
  readonly input?: (word: string) => boolean;
  /** Full paths of the user's files that the command names: the scripts that call the program under test. */
  readonly scripts?: readonly string[];
}

/**
 * `keep`: the quoted words are part of the identity (a diagnostic). `drop`: frames are the identity, and words of the input
 * do not count.
 */
export type Words = 'keep' | 'drop';

const longest = 300;

/** The error's own line, without what varies from run to run and from input to input. */
export function normalise(line: string, context: Volatile, words: Words): string {
  return quotesOut(placeless(line, context), context, words)
    .replace(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?/g, '<time>')
    .replace(
      /(?<![\w.])\d+(?:\.\d+)?\s?(?:[mµun]?s|secs?|seconds|minutes?|[kKMGT]i?B|[Bb]ytes?|byte\(s\)|%)(?![\w])/g,
      'N',
    )
    .replace(/(?<![A-Za-z_\d.])\d+(?:[.,]\d+)*(?![A-Za-z_\d])/g, (number, at: number, whole: string) =>
      /(?:\b(?:errno|signal|status|HTTP|error|exit)[ #]?|\bcode[:= ]{1,2}|\[Errno |\((?:reading|setting) ')$/i.test(
        whole.slice(0, at),
      )
        ? number
        : 'N',
    )
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longest);
}

/** A place in the program's source: its numbers are the program's own, and count. */
export const anchor = (place: string, context: Volatile): string =>
  placeless(place, context).replace(/\s+/g, ' ').trim().slice(0, longest);

/** The line for people: as printed, but without colours and workspaces, and shortened. */
export function show(line: string, context: Volatile): string {
  const folders = context.volatile.filter(part => part.startsWith('/'));
  const text = folders.reduce((sum, folder) => sum.replaceAll(`${folder.replace(/\/+$/, '')}/`, ''), line);
  const short = text.replace(/\s+/g, ' ').trim();
  return short.length > 240 ? `${short.slice(0, 239)}…` : short;
}

/** Is this file one of those that are reduced, or in a workspace? */
export function isVolatile(file: string, context: Volatile): boolean {
  const name = file.replace(/^file:\/\//, '');
  const base = name.slice(name.lastIndexOf('/') + 1);
  return context.volatile.some(part => part === name || part === base || (part.startsWith('/') && isUnder(name, part)));
}

const isUnder = (file: string, folder: string): boolean =>
  file.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

function placeless(line: string, context: Volatile): string {
  let text = line.replace(/[‘’`´]/g, "'").replace(/[“”]/g, '"');
  const parts = [...context.volatile].sort((a, b) => b.length - a.length);
  for (const part of parts) if (part.startsWith('/')) text = text.replaceAll(`${part.replace(/\/+$/, '')}/`, '');
  for (const part of parts) text = replaceName(text, part, '<input>');
  return (
    text
      // A position in the input, in any of the usual spellings.
      .replace(/<input>(?::\d+(?::\d+)?|\(\d+(?:,\s*\d+)?\))+/g, '<input>')
      .replace(/(?:file:\/\/)?\/(?:tmp|var\/tmp|var\/folders|dev\/shm|run\/user\/\d+)\/[^\s'":,;()]+/g, '<tmp>')
      // Names from compilers and mkstemp: cc4bXk2P.o, input-5136c3.c, tmp.x3Kd82aa.
      .replace(/\bcc\w{6}\.(?:o|s|c|ii?|ld|res)\b|(?<=-)[\da-f]{6}(?=\.\w)|(?<=\btmp[._-]?)(?=\w*\d)\w{6,}/g, '…')
      .replace(/(^|[\s'"(=<[:,])(?:file:\/\/)?\/(?:[\w.@+~-]+\/)+([\w.@+~-]+)/g, '$1$2')
      .replace(/\b0x[\da-f]+\b/gi, '0x…')
      .replace(/\b(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{8,}\b/g, '<hash>')
      .replace(/\b(pid|tid|thread id)([ =:]+)\d+/gi, '$1$2N')
  );
}

/** Whole names only: a file called `a` must not remove the letter everywhere. */
function replaceName(text: string, name: string, by: string): string {
  if (name === '' || !text.includes(name)) return text;
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\w.-])${escaped}(?![\\w-])`, 'g'), by);
}

/**
 * Quoted pieces of the input are dropped; quoted pieces of the program are kept. Punctuation always stays: `Unexpected token
 * '-'` and `Unexpected token '}'` are two failures. Names stay in a diagnostic (`'x' is not declared` is easy to get for any
 * other name by deleting a declaration) and are dropped next to a stack, where one or two letters count as a renamed name.
 */
function quotesOut(line: string, context: Volatile, words: Words): string {
  const { input } = context;
  return line.replace(/(?<!\w)(['"])((?:(?!\1).)*)\1(?!\w)/g, (whole, quote: string, content: string, at: number) => {
    if (!/\w/.test(content) || /\((?:reading|setting) $/.test(line.slice(0, at))) return whole;
    const isName = /^[\w$]+$/.test(content);
    if (isName && (words === 'keep' || (content.length > 2 && !input?.(content)))) return whole;
    if (!isName && (content.length <= 3 || !input?.(content))) return whole;
    return `${quote}…${quote}`;
  });
}
