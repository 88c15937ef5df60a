/** Finds blocks that a candidate leaves empty although neither version does: `if (…) { }` tells a reader nothing. */

/** The end of a line that opens a block of statements: not an object, which may well be empty. */
const opens = /(?:\)|=>|\b(?:else|do|try|finally))[ \t]*\{[ \t\r]*$/;
const closes = /^[ \t]*\}/;
const blank = /^[ \t\r]*(?:\/\/.*|\/\*.*\*\/[ \t\r]*)?$/;

/** The lines that open a block with nothing in it but blank lines and comments, and how often each is there. */
export function emptyBlocksIn(lines: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  let header: string | undefined;
  for (const each of lines) {
    const line = each.endsWith('\n') ? each.slice(0, -1) : each;
    if (header !== undefined && blank.test(line)) continue;
    if (header !== undefined && closes.test(line)) found.set(header, (found.get(header) ?? 0) + 1);
    header = opens.test(line) ? line.trim() : undefined;
  }
  return found;
}

/** Whether there are more of some empty block than in both versions. */
export function leavesBlockEmpty(candidate: readonly string[], ends: readonly ReadonlyMap<string, number>[]): boolean {
  for (const [header, count] of emptyBlocksIn(candidate))
    if (ends.every(end => (end.get(header) ?? 0) < count)) return true;
  return false;
}
