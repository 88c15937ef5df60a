/**
 * Pairs the functions of two minified texts by what no minifier changes: the names of members, strings and numbers. Unlike a diff, this does not
 * depend on their order, nor on how their statements are written.
 */
import { addTo } from '../../core/lists.js';
import type { Range } from '../names/local-names.js';
import type { NamedText } from './align-names.js';

export interface SimilarFunctions {
  readonly old: Range;
  readonly new: Range;
}

/** The features that both have, of those that either has, weighted by how rare they are. */
const alike = 0.5;
/** A feature of more functions than this says nothing. */
const mostShared = 24;
/** What fills more of a text than this is a wrapper around it. */
const wrapper = 1 / 2;

const feature = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[\w$\u0080-\uffff]+/g;
/** Minifiers write these in many ways. */
const plain = /^(?:function|return|var|let|const|if|else|for|while|do|break|continue|void|true|false|undefined|[01])$/;

interface Described {
  readonly range: Range;
  readonly features: ReadonlyMap<string, number>;
}

/** The best pairs first. Each function is in one pair at most. */
export function similarFunctions(old: NamedText, now: NamedText): readonly SimilarFunctions[] {
  const [before, after] = [describe(old), describe(now)];
  const users = new Map<string, number>();
  for (const { features } of [...before, ...after])
    for (const name of features.keys()) users.set(name, (users.get(name) ?? 0) + 1);
  const total = before.length + after.length;
  const weight = (name: string): number => Math.log(total / users.get(name)!);
  const byFeature = new Map<string, number[]>();
  for (const [at, { features }] of after.entries())
    for (const name of features.keys()) if (users.get(name)! <= mostShared) addTo(byFeature, name, at);
  const scored = before.flatMap(({ features, range }, a) => {
    const others = new Set([...features.keys()].flatMap(name => byFeature.get(name) ?? []));
    return [...others].map(b => {
      const moved = Math.abs(range[0] / old.text.length - after[b]!.range[0] / now.text.length);
      return { a, b, moved, score: likeness(features, after[b]!.features, weight) };
    });
  });
  const [taken, given] = [new Set<number>(), new Set<number>()];
  const found: SimilarFunctions[] = [];
  for (const { a, b } of scored
    .filter(({ score }) => score >= alike)
    .sort((x, y) => y.score - x.score || x.moved - y.moved)) {
    if (taken.has(a) || given.has(b)) continue;
    taken.add(a);
    given.add(b);
    found.push({ old: before[a]!.range, new: after[b]!.range });
  }
  return found;
}

function describe({ text, names: { locals, functions } }: NamedText): readonly Described[] {
  const local = new Map(locals.flatMap(each => each.mentions.map(({ start }) => [start, each] as const)));
  return functions
    .filter(([from, to]) => to - from < wrapper * text.length)
    .flatMap(range => {
      const name = local.get(range[0] + /^(?:async\s+)?function[\s*]*/.exec(text.slice(...range))![0].length);
      const members = name ? membersAt(text, name.mentions) : membersAt(text, [{ start: range[0] }]);
      // Without any name it may be one of many.
      if (!name && members.length === 0) return [];
      const features = new Map(members.map(each => [`as ${each}`, certain]));
      for (const { 0: each, index } of text.slice(...range).matchAll(feature)) {
        if (local.has(range[0] + index) || plain.test(each)) continue;
        const name = each.replace(/^'|'$/g, '"');
        features.set(name, (features.get(name) ?? 0) + 1);
      }
      return [{ range, features }];
    });
}

/** As which members a function is exported or kept: `a.sum=b`, `{sum:b}`. */
const membersAt = (text: string, mentions: readonly { readonly start: number }[]): readonly string[] =>
  mentions.flatMap(({ start }) => {
    const before = text.slice(Math.max(0, start - longestName), start);
    return /[.{,]\s*([\w$]{3,})\s*(?::|=(?!=))\s*$/.exec(before)?.[1] ?? [];
  });

/** To be the same member says more than a few common words. */
const certain = 4;
const longestName = 64;

function likeness(
  a: ReadonlyMap<string, number>,
  b: ReadonlyMap<string, number>,
  weight: (name: string) => number,
): number {
  let [common, either] = [0, 0];
  for (const name of new Set([...a.keys(), ...b.keys()])) {
    const [x, y] = [a.get(name) ?? 0, b.get(name) ?? 0];
    common += weight(name) * Math.min(x, y);
    either += weight(name) * Math.max(x, y);
  }
  return either === 0 ? 0 : common / either;
}
