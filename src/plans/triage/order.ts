/**
 * Puts groups in an order in which each is as different as possible from those before it, so that the first ten show ten
 * different defects. Furthest point first, after "Taming compiler fuzzers" (Chen et al. 2013).
 */
import { type Group, stackOf } from './model.js';

/** Longer forms differ only in ways that are not worth more time. */
const comparedBytes = 64;

export function furthestFirst(groups: readonly Group[]): readonly Group[] {
  const left = [...groups].sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)).map(traitsOf);
  const [first] = left.splice(0, 1);
  if (!first) return [];
  const ordered = [first];
  const nearest = new Map(left.map(one => [one, distance(one, first)]));
  while (left.length > 0) {
    let at = 0;
    for (let i = 1; i < left.length; i++) if (nearest.get(left[i]!)! > nearest.get(left[at]!)!) at = i;
    const [next] = left.splice(at, 1);
    ordered.push(next!);
    for (const one of left) nearest.set(one, Math.min(nearest.get(one)!, distance(one, next!)));
  }
  return ordered.map(({ group }) => group);
}

interface Traits {
  readonly group: Group;
  readonly words: ReadonlySet<string>;
  readonly form: string;
}

function traitsOf(group: Group): Traits {
  const stacks = group.variants.flatMap(({ signatures }) => signatures.flatMap(each => stackOf(each).split(' ← ')));
  const form = group.variants[0]?.reduction?.form ?? new Uint8Array();
  return {
    group,
    words: new Set([...group.key.split(/[\s·←:()]+/), ...stacks].filter(word => word !== '')),
    form: Buffer.from(form.subarray(0, comparedBytes)).toString('latin1'),
  };
}

/** 0 for the same, 1 for nothing in common: half from the failure's message, half from its minimal form. */
export function distance(a: Pick<Traits, 'words' | 'form'>, b: Pick<Traits, 'words' | 'form'>): number {
  const shared = [...a.words].filter(word => b.words.has(word)).length;
  const all = a.words.size + b.words.size - shared;
  const longer = Math.max(a.form.length, b.form.length);
  return (all === 0 ? 0 : 1 - shared / all) / 2 + (longer === 0 ? 0 : editDistance(a.form, b.form) / longer) / 2;
}

/** Levenshtein's distance, a row at a time. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
