/**
 * Words of a response file, an option file or a variable like NODE_OPTIONS: split at white space, with quotes and
 * backslashes as libiberty's `buildargv` reads them (GCC, ld, LLVM's GNU tokenizer): a backslash takes the next
 * character as it is, inside quotes too; there are no variables and no globs.
 */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === '\\' && i + 1 < text.length) word = (word ?? '') + text[++i];
    else if (quote) {
      if (char === quote) quote = '';
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + char;
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** A word as a shell and `wordsOf` both read it back. */
export function quoted(word: string): string {
  if (/^[\w@%+=:,./{}-]+$/.test(word)) return word;
  // Inside single quotes a shell keeps a backslash and wordsOf does not; so whatever holds one goes into double quotes.
  if (!/['\\]/.test(word)) return `'${word}'`;
  return `"${word.replace(/[\\"$`]/g, '\\$&')}"`;
}

export const quotedAll = (words: readonly string[]): string => words.map(quoted).join(' ');

/** A command given as one word with spaces in it is a line for the shell. */
export const isShellLine = (command: readonly string[]): boolean => command.length === 1 && /\s/.test(command[0]!);
