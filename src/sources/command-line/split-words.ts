/**
 * Splits a response file, an option file or a variable like NODE_OPTIONS at whitespace, with quotes and backslashes as
 * libiberty's `buildargv` reads them (GCC, ld, LLVM's GNU tokenizer): a backslash takes the next character literally,
 * inside quotes too; there are no variables and no globs.
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
