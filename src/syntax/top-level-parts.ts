/** Cuts a large text between its outermost declarations, so that one that the parser can't read does not spoil the others. */

const literalOrBrace = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|[{}]/g;
/** What follows the last brace of a declaration. */
const restOfLine = /[ \t]*;?[ \t]*(?:\n|$)/y;

/** Smaller parts are joined: each is a parse of its own. */
const least = 2_000;

/** Where each part begins; undefined if the braces of the text do not match. */
export function topLevelParts(text: string): readonly number[] | undefined {
  const starts = [0];
  let depth = 0;
  for (const { 0: found, index } of text.matchAll(literalOrBrace)) {
    if (found === '{') depth++;
    if (found !== '}') continue;
    if (--depth < 0) return undefined;
    if (depth > 0 || index - starts.at(-1)! < least) continue;
    restOfLine.lastIndex = index + 1;
    if (restOfLine.test(text) && restOfLine.lastIndex < text.length) starts.push(restOfLine.lastIndex);
  }
  return depth === 0 ? starts : undefined;
}
