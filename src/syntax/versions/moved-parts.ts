/**
 * Parts that have moved from one function to another: a long function was cut into several, or a short one was written into the one that called it. What has
 * changed in them on the way is seen only if they are compared with each other.
 */
import { addTo } from '../../core/lists.js';
import { pauseIfDue } from '../../core/pause.js';
import type { Part } from './aligned-parts.js';

interface Parts {
  readonly olds: readonly Part[];
  readonly news: readonly Part[];
  /** From 0 to 1: how much two parts have in common. */
  likeness(old: Part, now: Part): number;
  /** The least that parts have in common which are the same one. */
  readonly least: number;
}

/** A word that more parts have says nothing about which of them is which. */
const mostParts = 40;

/** The parts of old that are in no function of the same name any more, and what they became. */
export async function movedParts({ olds, news, likeness, least }: Parts): Promise<ReadonlyMap<Part, Part>> {
  const byWord = new Map<string, Part[]>();
  for (const part of news) for (const word of new Set(part.own)) addTo(byWord, word, part);
  const scored: { readonly old: Part; readonly now: Part; readonly score: number }[] = [];
  for (const old of olds) {
    await pauseIfDue();
    const near = new Set<Part>();
    for (const word of new Set(old.own)) {
      const these = byWord.get(word) ?? [];
      if (these.length <= mostParts) for (const part of these) near.add(part);
    }
    for (const now of near) {
      const score = likeness(old, now);
      if (score >= least) scored.push({ old, now, score });
    }
  }
  const [found, taken] = [new Map<Part, Part>(), new Set<Part>()];
  for (const { old, now } of scored.sort((a, b) => b.score - a.score)) {
    if (found.has(old) || taken.has(now)) continue;
    found.set(old, now);
    taken.add(now);
  }
  return found;
}
