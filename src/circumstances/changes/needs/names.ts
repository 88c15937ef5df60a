/** The names that source text defines and uses, recognised by patterns and not by a grammar: good enough to guess what belongs together. */

export interface Names {
  readonly defined: ReadonlySet<string>;
  readonly used: ReadonlySet<string>;
}

const word = /[A-Za-z_$][\w$]*/g;

/** Comments on one line, strings, and lines of a block comment: names in them do not count as uses. */
const prose = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/.*$|^\s*(?:\*|\/\*).*$|\/\*.*?\*\//g;

const keywords = new Set(
  `abstract as async await auto bool boolean break byte case catch char class const continue debugger def default define delete do double elif else
  endif enum except export extends extern false final finally float fn for from func function get goto if ifdef ifndef implements import in include
  inline instanceof int interface is lambda let long match module mut namespace new nil none not null number of or and package pass private protected
  public pub raise register return self set short signed sizeof static string struct super switch template this throw throws true try type typedef
  typeof undef undefined union unsigned use using var virtual void volatile when where while with yield`.split(/\s+/),
);

/** What comes right before a name that is defined. */
const before =
  /(?:\b(?:function\*?|class|interface|struct|union|enum|def|fn|func|let|const|var|type|module|trait|mut)|#\s*define|[{,(]\s*\.\.\.)\s*$/;
/** As many characters before a name are enough for that: to read a minified line from its start for each name would take minutes. */
const closeBy = 80;
/** What comes right after a name that is defined: `x =` and not `x ==`, `x:` in an object or a type, `x(…) {`. */
const after = /^\s*(?:(?:[-+*/%&|^]|<<|>>|\?\?|\|\||&&)?=(?![=>])|:(?!:)|\([^()]*\)\s*\{\s*$)/;
/** The declaration of a C function, or a variable with a type: `static int x(`, `png_byte x;`. */
const typed = /^\s*(?:[A-Za-z_]\w*[\s*&]+)+$/;

export const withoutProse = (line: string): string => line.replace(prose, ' ');

/** `import a, b as c`, `from m import a`, `import x, { y as z } from 'm'` on one line, and what is imported. */
const importing = /^\s*(?:from\s+\S+\s+import\b|import\b(?!\s*[(.]))([^#;]*?)(?:\bfrom\b[^#;]*)?(?:[#;].*)?$/;

/** What an import brings in: the last word of each item, as in `a as b` and `type A`. Of `import a.b`, only `a` can be used by itself. */
const importedIn = (line: string): ReadonlySet<string> =>
  new Set(
    (importing.exec(line)?.[1] ?? '')
      .split(/[,{}()]/)
      .flatMap(item => item.replace(/\..*$/, '').match(word)?.at(-1) ?? []),
  );

export function namesIn(lines: readonly string[]): Names {
  const [defined, used] = [new Set<string>(), new Set<string>()];
  for (const line of lines) {
    const text = withoutProse(line);
    const imported = importedIn(text);
    for (const found of text.matchAll(word)) {
      const [name] = found;
      if (keywords.has(name)) continue;
      const [left, right] = [text.slice(0, found.index), text.slice(found.index + name.length)];
      const isDefined =
        imported.has(name) ||
        before.test(left.slice(-closeBy)) ||
        after.test(right) ||
        (typed.test(left) &&
          !/^\s*(?:return|else|case|goto|throw|new|delete|await|yield)\b/.test(left) &&
          /^\s*[;,([=]/.test(right));
      (isDefined ? defined : used).add(name);
    }
  }
  return { defined, used };
}

/** All names in a text, in any role. */
export function* allNames(lines: readonly string[]): Generator<string> {
  for (const line of lines) for (const [name] of line.matchAll(word)) yield name;
}
