/** Units of a text that the parser did not fully understand, so that no one of them takes a brace of another. */

/** A unit as it was found, before its words are read. */
export interface Found {
  readonly node: number;
  readonly start: number;
  /** With what the parser could not read after it. */
  end: number;
  /** Where it begins with the comments in front of it. */
  readonly from: number;
  within: number;
  readonly names: readonly string[];
  /** Names that are declared inside it: members, enumerators. */
  members: readonly string[];
  /** Classes that it is a part of, although it is outside: `a` of `int a::b() {}`. */
  readonly owners?: readonly string[];
  /** The units that it contains are the next ones, up to this one. */
  past: number;
  /** A function whose statements are units: what they declare is known only to each other. */
  isScope?: boolean;
}

/** Only closing signs, which belong to something before them. */
export const closes = /^[\s;)}\]]+$/;

const literalOrBrace = /'(?:\\.|[^'\\\n])'|"(?:\\.|[^"\\\n])*"|[{}]/g;

/** How many braces are opened and not closed in a part of a text. */
export function surplus(text: string, { start, end }: Pick<Found, 'start' | 'end'>): number {
  let open = 0;
  for (const [found] of text.slice(start, end).matchAll(literalOrBrace)) {
    if (found === '{') open++;
    else if (found === '}') open--;
  }
  return open;
}

/** A bracket that closes nothing closes what the parser thought had ended: everything since then is inside it. */
export function extend(text: string, found: Found[], siblings: readonly number[], end: number): void {
  const open = siblings.findLast(i => surplus(text, found[i]!) > 0) ?? siblings.at(-1)!;
  for (const i of siblings) if (i > open) found[i]!.within = open;
  found[open]!.end = end;
  found[open]!.past = found.length;
}

/** Joins units of which one opens a brace and another one closes it, as long as they are not `large` together. */
export function balanced(text: string, found: readonly Found[], large: number): readonly Found[] {
  const joined = new Map<number, Found>();
  const isGone = new Uint8Array(found.length);
  for (let i = 1; i < found.length; i++) {
    const first = found[i]!;
    if (isGone[i] === 1 || surplus(text, first) === 0) continue;
    for (let j = first.past; j < found.length && found[j]!.within === first.within; j = found[j]!.past) {
      const last = found[j]!;
      const whole = { start: first.start, end: Math.max(first.end, last.end) };
      if (whole.end - whole.start > large) break;
      if (surplus(text, whole) !== 0) continue;
      const parts = found.slice(i, last.past);
      const names = parts.flatMap(part => part.names);
      joined.set(i, { ...first, ...whole, names, members: parts.flatMap(part => part.members), past: i + 1 });
      isGone.fill(1, i + 1, last.past);
      break;
    }
  }
  const place: number[] = [];
  let count = 0;
  for (const i of found.keys()) place.push(isGone[i] === 1 ? -1 : count++);
  const pastOf = (past: number): number => {
    let next = past;
    while (next < found.length && isGone[next] === 1) next++;
    return next < found.length ? place[next]! : count;
  };
  return [...found.keys()]
    .filter(i => isGone[i] === 0)
    .map(i => {
      const unit = joined.get(i) ?? found[i]!;
      const past = joined.has(i) ? place[i]! + 1 : pastOf(unit.past);
      return { ...unit, within: unit.within < 0 ? -1 : place[unit.within]!, past };
    });
}
