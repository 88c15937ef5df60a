/** The parts of an outline as units: which of them each one needs, by the names that it mentions. */
import { addTo } from '../../core/lists.js';
import { onceForLast } from '../../core/once-for.js';
import { pauseIfDue } from '../../core/pause.js';
import type { Sliceable } from '../sliced.js';
import { outlineOf, type Part } from './outline.js';
import { begun, isMarked, namesOfHead, namesOfLines, wordsOfNotation } from './outline-names.js';
import { namesIn, withoutComments } from './outline-words.js';

/** A part that is larger than one in this many is taken apart. */
const containerShare = 16;
/** Parts of which each introduces the name: one may be its declaration, another one its definition. */
const mostDeclarers = 4;

/** A name is introduced by at most one unit in so many. */
const nameShare = 8;

/** The units of a text without a grammar. The first one is the text itself. */
export const outlineUnits = onceForLast(readUnits);

async function readUnits(text: string): Promise<readonly Sliceable[]> {
  const parts = await outlineOf(text);
  const isContainer = containersIn(parts, text.length / containerShare);
  const chosen = [...parts.keys()].filter(i => parts[i]!.within < 0 || isContainer[parts[i]!.within] === 1);
  const indexOf = new Map(chosen.map((part, i) => [part, i + 1]));
  const units = [
    { from: 0, end: text.length, within: -1 },
    ...chosen.map(i => ({ from: parts[i]!.from, end: parts[i]!.end, within: indexOf.get(parts[i]!.within) ?? 0 })),
  ];
  const owns = ['', ...ownTexts(text, parts, chosen, isContainer)];
  await pauseIfDue();
  const declarers = await declarersIn(owns);
  await pauseIfDue();
  const isVisible = (declarer: number, unit: number): boolean => {
    const scope = units[declarer]!.within;
    for (let at = unit; at >= 0; at = units[at]!.within) if (at === scope) return true;
    return false;
  };
  const found: Sliceable[] = [];
  for (const [i, unit] of units.entries()) {
    const needed = new Set<string>();
    for (const name of new Set(namesIn(owns[i]!))) {
      const seen = (declarers.get(name) ?? []).filter(declarer => isVisible(declarer, i));
      for (const declarer of seen.length > mostDeclarers ? seen.slice(0, 1) : seen) needed.add(idOf(declarer));
    }
    needed.delete(idOf(i));
    found.push({
      ...unit,
      declares: [idOf(i)],
      mentions: [...needed],
      isFixed: i === 0,
      isOperator: false,
      onlyWith: [],
    });
    if (i % 100 === 0) await pauseIfDue();
  }
  return found;
}

const idOf = (unit: number): string => `#${unit}`;

/** By name: the units that introduce it, in source order. */
async function declarersIn(owns: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
  const lines = owns.map(own => own.split('\n'));
  const notation = wordsOfNotation(lines.flat());
  await pauseIfDue();
  const declarers = new Map<string, number[]>();
  for (const [i, own] of lines.entries())
    for (const name of new Set(namesOfHead(own[0]!, notation))) addTo(declarers, name, i);
  // What nearly every line has is no name.
  for (const [name, { length }] of declarers)
    if (length > mostDeclarers && length * nameShare > owns.length) declarers.delete(name);
  const first = begun(lines.flat());
  for (const [i, own] of lines.entries()) {
    for (const name of namesOfLines(own.slice(1), first, notation)) if (!declarers.has(name)) declarers.set(name, [i]);
    if (i % 100 === 0) await pauseIfDue();
  }
  // A name with a sign may be declared anywhere in a line: `(import "env" "f" (func $f))`. Of more lines, it is a local.
  for (const [i, own] of owns.entries())
    if (!own.trim().includes('\n'))
      for (const name of namesIn(own)) if (isMarked(name) && !declarers.has(name)) declarers.set(name, [i]);
  return declarers;
}

/** What is large and contains others. */
function containersIn(parts: readonly Part[], large: number): Uint8Array {
  const isContainer = new Uint8Array(parts.length);
  for (const { within } of parts)
    if (within >= 0 && parts[within]!.end - parts[within]!.from > large) isContainer[within] = 1;
  return isContainer;
}

/** The text of each unit without its comments; of a container, what is outside the units in it. */
function ownTexts(
  text: string,
  parts: readonly Part[],
  chosen: readonly number[],
  isContainer: Uint8Array,
): readonly string[] {
  const inside = new Map<number, Part[]>();
  for (const i of chosen) if (parts[i]!.within >= 0) addTo(inside, parts[i]!.within, parts[i]!);
  return chosen.map(i => {
    const { start, end } = parts[i]!;
    if (isContainer[i] === 0) return withoutComments(text.slice(start, end));
    let own = '';
    let at = start;
    for (const part of inside.get(i) ?? []) {
      own += text.slice(at, part.from);
      at = part.end;
    }
    return withoutComments(own + text.slice(at, end));
  });
}
