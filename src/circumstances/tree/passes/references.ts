import type { Edit, Span } from '../../edits.js';
import { type Binding, bindingsByName, isIntroduced } from '../bindings.js';
import { cut, disjoint } from '../extents.js';
import { freshNames } from '../names.js';
import { kindOf, type Outline, tongueOf } from '../outline.js';
import type { TextPass } from '../pass.js';
import { hasPointers, type Mark, pointedIn } from '../pointers.js';
import { removalAround, removalTable } from '../repair.js';
import type { Syntax } from '../syntax.js';

/** In HTML, SVG and XML an id goes together with what points at it; in Markdown a link's target with its links. */
export function references(syntax: Syntax): TextPass {
  return {
    name: 'id with references',
    async edits(text) {
      if (!hasPointers(syntax.language)) return [];
      const outline = await syntax.outline(text);
      const table = removalTable(outline);
      const edits: Edit[] = [];
      for (const { name, targets, pointers } of linked(syntax, outline)) {
        const uses = pointers.map(pointer => removalAround(outline, table, leafAt(outline, pointer), false));
        for (const each of targets) {
          // A heading that nothing points at is a part of the text like any other.
          if (each.by === 'heading' && pointers.length === 0) continue;
          const target = leafAt(outline, each);
          const own = removalAround(outline, table, target, false);
          const whole = elementAround(outline, target);
          if (own === undefined || uses.some(span => span === undefined)) continue;
          edits.push({ spans: disjoint([own, ...(uses as Span[])]), label: `delete ${name} and its references` });
          if (whole !== undefined)
            edits.push({
              spans: disjoint([cut(text, outline.start[whole]!, outline.end[whole]!), ...(uses as Span[])]),
              label: `delete ${kindOf(outline, whole)} ${name} and its references`,
            });
        }
      }
      return edits;
    },
  };
}

/** An id gets a short name together with all that points at it: where references must hold, letters alone can't do that. */
export function shortIds(syntax: Syntax): TextPass {
  return {
    name: 'short id',
    async edits(text) {
      if (!hasPointers(syntax.language)) return [];
      const outline = await syntax.outline(text);
      const fresh = freshNames(outline);
      const edits: Edit[] = [];
      for (const { name, targets, pointers } of linked(syntax, outline)) {
        if (pointers.length === 0 || pointers[0]!.end - pointers[0]!.start < 2) continue;
        const short = fresh.next().value;
        const spans = [...targets, ...pointers].map(({ start, end }) => ({ start, end, text: short }));
        edits.push({ spans: disjoint(spans), label: `${name} → ${short}` });
      }
      return edits;
    },
  };
}

/** Ids as bindings, and what embedded scripts declare: an edit that takes a declaration away takes its uses along. */
export function bindingsInMarkup(syntax: Syntax, outline: Outline): readonly Binding[] {
  const isCode = (leaf: number): boolean => tongueOf(outline, leaf).language.names === true;
  return [
    ...linked(syntax, outline).map(({ name, targets, pointers }) => ({
      name,
      definitions: targets.map(mark => leafAt(outline, mark)),
      uses: pointers.map(mark => leafAt(outline, mark)),
    })),
    ...bindingsByName(outline)
      .filter(({ definitions }) => definitions.every(leaf => isCode(leaf) && isIntroduced(outline, leaf)))
      .map(binding => ({ ...binding, uses: binding.uses.filter(isCode) })),
  ];
}

interface Linked {
  readonly name: string;
  readonly targets: readonly Mark[];
  readonly pointers: readonly Mark[];
}

/** Every name that is a target, in the order of the text. */
function linked({ language }: Syntax, outline: Outline): readonly Linked[] {
  const { targets, pointers } = pointedIn(language, outline);
  const found = new Map<string, { targets: Mark[]; pointers: Mark[] }>();
  for (const mark of [...targets].sort((a, b) => a.start - b.start)) {
    const known = found.get(mark.name);
    if (known === undefined) found.set(mark.name, { targets: [mark], pointers: [] });
    else known.targets.push(mark);
  }
  for (const mark of pointers) found.get(mark.name)?.pointers.push(mark);
  return [...found].map(([name, marks]) => ({ name, ...marks }));
}

const leafAt = (outline: Outline, mark: Mark): number => nodeAt(outline, Math.max(mark.start, mark.end - 1));

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
