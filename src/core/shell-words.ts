/** The plain words of a shell line: the ones that the shell reads exactly as they are written. */
import { quote } from './shell.js';

export interface PlainWord {
  readonly text: string;
  readonly start: number;
  /** The shell runs it: it stands where a command begins. */
  readonly isProgram: boolean;
  /** The shell writes to it: `> out.txt`. */
  readonly isTarget: boolean;
}

/** Blanks, comments, operators, and words with the quotes in them. A backtick begins or ends a command, as a bracket does. */
const token = /\s+|#[^\n]*|\d*[<>]|[;&|()`]|(?:'[^']*'?|"(?:\\.|[^"\\])*"?|\\.|[^\s;&|()<>`'"\\])+/gs;
const keyword = /^(?:if|then|elif|else|while|until|do|time|exec|!|\{)$/;
const assignment = /^\w+\+?=/;

/** Words with quotes, variables or patterns are left out: what they stand for is only known to the shell. */
export function plainWords(line: string): readonly PlainWord[] {
  // The text after `<<` is not made of words.
  if (line.includes('<<')) return [];
  const words: PlainWord[] = [];
  let isProgram = true;
  let isTarget = false;
  for (const { 0: text, index: start } of line.matchAll(token)) {
    if (/^[\s#]/.test(text)) {
      isProgram ||= text.includes('\n');
    } else if (/^\d*[<>]$/.test(text)) {
      isTarget = text.endsWith('>');
    } else if (/^[;&|()`]/.test(text)) {
      // `>|` and `>&` still name a file.
      if (!(isTarget && /[|&]/.test(text))) isProgram = true;
    } else {
      if (/^[\w@%+=:,./-]+$/.test(text) && !keyword.test(text) && !(isProgram && assignment.test(text)))
        words.push({ text, start, isProgram: isProgram && !isTarget, isTarget });
      if (!isTarget && !keyword.test(text) && !assignment.test(text)) isProgram = false;
      isTarget = false;
    }
  }
  return words;
}

/** The line with other plain words in it. */
export function mapPlainWords(line: string, map: (word: PlainWord) => string): string {
  let result = '';
  let end = 0;
  for (const word of plainWords(line)) {
    const other = map(word);
    result += line.slice(end, word.start) + (other === word.text ? other : quote(other));
    end = word.start + word.text.length;
  }
  return result + line.slice(end);
}
