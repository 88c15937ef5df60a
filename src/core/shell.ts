/** How words become shell text, and how `{}` in a command is filled in: the only place that quotes for a shell. */
import { UserError } from './user-error.js';

/**
 * A word as a POSIX shell, a response file (GCC, LLVM) and a `.env` file all read it back. Inside single quotes a shell keeps a
 * backslash and a response file does not, so a word that holds one goes into double quotes.
 */
export function quote(word: string): string {
  if (word.includes('\0'))
    throw new UserError(
      `An argument, path or variable contains a NUL character, which no command can receive: ${JSON.stringify(word)}.`,
      'Remove the NUL, or put it into a file that the command reads.',
    );
  // Braces only as a pair: bash expands {a,b}.
  if (/^(?:[\w@%+=:,./-]|\{\})+$/.test(word)) return word;
  if (!/['\\]/.test(word)) return `'${word}'`;
  return `"${word.replace(/[\\"$`]/g, '\\$&')}"`;
}

/** The name of a program as the first word of a line: `if` or `a=b` without quotes would be syntax. */
export function quoteProgram(name: string): string {
  const word = quote(name);
  return word === name ? `'${name}'` : word;
}

export const quoteAll = (words: readonly string[]): string => words.map(quote).join(' ');

/** One word with blanks in it is a line for the shell. */
export const isShellLine = (command: readonly string[]): boolean => command.length === 1 && /\s/.test(command[0]!);

/** Puts a value in place of every mark, as it is: `$&` or `$$` in the value means nothing. */
export const substitute = (text: string, mark: string, value: string): string => text.split(mark).join(value);

/** The words to run: a shell line goes to the shell with the value quoted, other words get the value as it is. */
export const fillCommand = (command: readonly string[], mark: string, value: string): readonly string[] =>
  isShellLine(command)
    ? ['/bin/sh', '-c', substituteInLine(command[0]!, mark, value)]
    : command.map(word => substitute(word, mark, value));

/** The words to run of a command in which no value is put. */
export const runnable = (command: readonly string[]): readonly string[] =>
  isShellLine(command) ? ['/bin/sh', '-c', command[0]!] : command;

type Quoting = 'none' | 'single' | 'double' | 'comment';

/**
 * Puts a value into a shell line so that the shell reads it as part of one word, whatever characters it contains. The line may
 * have quotes around the mark (`cat "{}"`): they are closed before the value and reopened after it.
 */
export function substituteInLine(line: string, mark: string, value: string): string {
  const word = quote(value);
  const spelled: Readonly<Record<Quoting, string>> = {
    none: word,
    single: `'${word}'`,
    double: `"${word}"`,
    comment: '',
  };
  /** The quotes around each `$(` or backtick that is open, which start again inside. */
  const outer: { readonly quoting: Quoting; readonly closes: string }[] = [];
  let quoting: Quoting = 'none';
  let result = '';
  for (let i = 0; i < line.length; ) {
    if (line.startsWith(mark, i)) {
      // A shell removes one layer of backslashes before it reads what is between backticks.
      const backticks = outer.filter(({ closes }) => closes === '`').length;
      result += Array.from({ length: backticks }).reduce<string>(escapeForBackticks, spelled[quoting]);
      i += mark.length;
      continue;
    }
    const char = line[i]!;
    const isOpen: boolean = quoting === 'none' || quoting === 'double';
    const length = isOpen && (char === '\\' || line.startsWith('$(', i)) ? 2 : 1;
    if (quoting === 'single') quoting = char === "'" ? 'none' : 'single';
    else if (quoting === 'comment') quoting = char === '\n' ? 'none' : 'comment';
    else if (char === '\\') {
      // The next character means itself, even a quote.
    } else if (length === 2 || (char === '(' && quoting === 'none')) {
      outer.push({ quoting, closes: ')' });
      quoting = 'none';
    } else if (quoting === 'none' && char === ')' && outer.at(-1)?.closes === ')') quoting = outer.pop()!.quoting;
    else if (char === '`') {
      if (outer.at(-1)?.closes === '`') quoting = outer.pop()!.quoting;
      else {
        outer.push({ quoting, closes: '`' });
        quoting = 'none';
      }
    } else if (char === '"') quoting = quoting === 'double' ? 'none' : 'double';
    else if (quoting === 'none' && char === "'") quoting = 'single';
    else if (quoting === 'none' && char === '#' && /^$|[\s;&|(]/.test(line[i - 1] ?? '')) quoting = 'comment';
    result += line.slice(i, i + length);
    i += length;
  }
  return result;
}

const escapeForBackticks = (text: string): string => text.replace(/[\\`$]/g, '\\$&');
