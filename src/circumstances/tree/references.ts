import type { Edit, Span } from '../edits.js';
import { cut, disjoint } from './extents.js';
import { kindOf, type Outline } from './outline.js';
import type { TextPass } from './pass.js';
import { removalAround, removalTable } from './repair.js';
import type { Syntax } from './syntax.js';

/** In HTML, SVG and XML an id goes together with what points at it; in Markdown a link's target with its links. */
export function references(syntax: Syntax): TextPass {
  return {
    name: 'id with references',
    async edits(text) {
      const { language } = syntax;
      if (language.markup !== true && language.name !== 'markdown') return [];
      const outline = await syntax.outline(text);
      const table = removalTable(outline);
      const edits: Edit[] = [];
      for (const { name, at, pointers } of language.markup ? ids(text) : links(text)) {
        const target = nodeAt(outline, at);
        const own = removalAround(outline, table, target, false);
        const whole = elementAround(outline, target);
        const uses = pointers.map(pointer => removalAround(outline, table, nodeAt(outline, pointer), false));
        if (own === undefined || uses.some(span => span === undefined)) continue;
        edits.push({ spans: disjoint([own, ...(uses as Span[])]), label: `delete ${name} and its references` });
        if (whole !== undefined)
          edits.push({
            spans: disjoint([cut(text, outline.start[whole]!, outline.end[whole]!), ...(uses as Span[])]),
            label: `delete ${kindOf(outline, whole)} ${name} and its references`,
          });
      }
      return edits;
    },
  };
}

interface Target {
  readonly name: string;
  readonly at: number;
  readonly pointers: readonly number[];
}

function ids(text: string): Target[] {
  const pointing = new Map<string, number[]>();
  const note = (name: string, at: number): void => void pointing.set(name, [...(pointing.get(name) ?? []), at]);
  for (const match of text.matchAll(/(?:href\s*=\s*["']|url\(\s*["']?)#([^"')\s]+)/g))
    note(match[1]!, match.index + match[0].length - 1);
  for (const match of text.matchAll(/\b(?:for|list|form|headers|aria-\w+|begin|end)\s*=\s*["']([^"']+)["']/g))
    for (const name of match[1]!.split(/[\s.]+/)) note(name, match.index + match[0].length - 2);
  return [...text.matchAll(/\s(?:xml:)?(?:id|name)\s*=\s*["']([^"']+)["']/g)].map(match => ({
    name: match[1]!,
    at: match.index + match[0].length - 2,
    pointers: pointing.get(match[1]!) ?? [],
  }));
}

function links(text: string): Target[] {
  return [...text.matchAll(/^ {0,3}\[([^\]]+)\]:/gm)].map(match => {
    const label = match[1]!.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const uses = [...text.matchAll(new RegExp(`\\[${label}\\](?!:)`, 'gi'))];
    return { name: match[1]!, at: match.index + match[0].indexOf('[') + 1, pointers: uses.map(use => use.index + 1) };
  });
}

/** The deepest node at an offset. */
export function nodeAt(outline: Outline, offset: number): number {
  let node = 0;
  for (;;) {
    let child = node + 1;
    while (child < outline.past[node]! && outline.end[child]! <= offset) child = outline.past[child]!;
    if (child >= outline.past[node]! || outline.start[child]! > offset) return node;
    node = child;
  }
}

function elementAround(outline: Outline, target: number): number | undefined {
  for (let node = target; node > 0; node = outline.parent[node]!)
    if (/element$/.test(kindOf(outline, node))) return node;
  return undefined;
}
