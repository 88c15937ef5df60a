/** Removes parts of the outline of a text without a grammar. */
import type { Edit } from '../edits.js';
import { outlineOf } from './outline.js';

/** Each part of at least so many lines, after those in it. */
export async function outlineEdits(text: string, leastLines: 1 | 2): Promise<readonly Edit[]> {
  const edits: Edit[] = [];
  const parts = await outlineOf(text);
  // Without these, it is a list of lines.
  if (parts.filter(({ end, head }) => end > head).length < fewestParts) return [];
  for (const { from, start, end, head } of parts) {
    const isWhole = from === 0 && end === text.length;
    if ((end === head && leastLines > 1) || isWhole) continue;
    const label = `delete ${text.slice(start, head).trim().slice(0, longestLabel)} …`;
    edits.push({ spans: [{ start: from, end, text: '' }], label });
  }
  return edits.sort((a, b) => a.spans[0]!.end - b.spans[0]!.end || b.spans[0]!.start - a.spans[0]!.start);
}

/** Parts of several lines. */
const fewestParts = 2;
const longestLabel = 40;
