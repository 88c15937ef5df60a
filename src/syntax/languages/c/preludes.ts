/** What is put before a text of C so that it can report about its own run. */

/** The text after such code. `mark`: the name of a function in it, which shows that another file that is included has it already. */
export function afterCode(code: string, text: string, isAlone: boolean, mark: string): string {
  const isMarked = /^\s*#\s*\d/.test(text);
  // Messages of the program name its lines, so they stay the same.
  const line = isMarked ? '' : '#line 1\n';
  if (!isAlone) return `#ifndef ${mark}\n#define ${mark} ${mark}\n${code}\n#endif\n${line}${text}`;
  return /^\s*#/.test(text) || code.includes('\n') ? `${code}\n${line}${text}` : `${code} ${text}`;
}

/**
 * How a report is written, without delay, to a file that is opened for it: the program may close whatever is open. No header is
 * included, and no name of the program is declared again: its own declarations of `open` may differ.
 */
export const libraryCalls = [
  'extern char *__culprit_getenv(const char *) __asm__("getenv");',
  'extern int __culprit_open(const char *, int, ...) __asm__("open");',
  'extern long __culprit_write(int, const void *, unsigned long) __asm__("write");',
  'extern int __culprit_close(int) __asm__("close");',
].join(' ');

/** A function that may stay without a call. */
export const ownFunction = '__attribute__((noinline, unused, no_sanitize_thread)) static void';

/** The text that ends at `text[size]`, written to the end of the file that a variable names. It is there already. */
export const appendTo = (variable: string, size: number): string =>
  [
    `path = __culprit_getenv("${variable}");`,
    'if (!path) return;',
    'file = __culprit_open(path, 02001);',
    'if (file < 0) return;',
    `(void)!__culprit_write(file, text + at, (unsigned long)(${size} - at));`,
    '__culprit_close(file);',
  ].join(' ');
