/** What differs between two texts, part by part: members of JSON, rows and cells of a table. */
import { alignment } from '../../circumstances/sequence.js';
import { all, type Circumstance, type Configuration, empty, has } from '../../core/index.js';
import { addAll } from '../../core/lists.js';
import { type Segment, type Segments, segmentsOf, textOfSegments } from '../../syntax/segments.js';
import { columnsDiffering } from './columns.js';

/** One part of two merged texts. */
type Merged =
  | { readonly kind: 'both'; readonly text: string }
  | { readonly kind: 'gone' | 'new'; readonly delta: number; readonly text: string }
  | { readonly kind: 'changed'; readonly delta: number; readonly old: string; readonly text: string }
  | { readonly kind: 'inside'; readonly before: string; readonly merge: Merge }
  /** A part that only one text has, taken apart. It is there as long as something of it is. `bare`: its text without that. */
  | { readonly kind: 'opened'; readonly bare: string; readonly before: string; readonly merge: Merge };

interface Merge {
  readonly frame: Pick<Segments, 'head' | 'between' | 'tail'>;
  readonly items: readonly Merged[];
}

export interface SegmentsDiffering extends Circumstance<string> {
  /** Whether a delta changes something that both texts have: only then is it worth looking inside. */
  isChange(delta: number): boolean;
}

/** A shorter member that only one text has can be read as it is. */
const longMember = 400;

/**
 * Parts as deltas: with none the passing text, with all the failing one. Undefined if the texts do not fall into the same kind of parts. `opens`: long members that only one
 * text has are taken apart, too.
 */
export function segmentsDiffering(
  path: string,
  passing: string,
  failing: string,
  opens = false,
): SegmentsDiffering | undefined {
  const [old, now] = [segmentsOf(path, passing), segmentsOf(path, failing)];
  if (!old || !now || !sameFrame(old, now)) return undefined;
  const byColumn = columnsDiffering(old, now);
  if (byColumn?.build(empty) === passing && byColumn.build(all(byColumn.count)) === failing) return byColumn;
  const changes: boolean[] = [];
  const merge = merging(old, now, { changes, opens });
  const build = (configuration: Configuration) => written(merge, delta => has(configuration, delta));
  const isWhole = textOfSegments(old) === passing && written(merge, () => false) === passing;
  if (!isWhole || written(merge, () => true) !== failing) return undefined;
  return {
    name: now.unit,
    count: changes.length,
    build,
    isChange: delta => changes[delta]!,
    describe: delta => describe(merge, delta) ?? `difference ${delta}`,
  };
}

/** What both texts have, as deltas: to leave one out removes it from both. */
export function segmentsShared(path: string, passing: string, failing: string) {
  const [old, now] = [segmentsOf(path, passing), segmentsOf(path, failing)];
  if (!old || !now || !sameFrame(old, now)) return undefined;
  const merge = merging(old, now, { changes: [], opens: false });
  const count = sharedIn(merge);
  const build = (configuration: Configuration) => {
    const kept = without(merge, configuration);
    return { passing: written(kept, () => false), failing: written(kept, () => true) };
  };
  return { name: now.unit, count, build };
}

const sameFrame = (a: Segments, b: Segments): boolean =>
  a.unit === b.unit && a.head === b.head && a.between === b.between && a.tail === b.tail;

interface Merging {
  /** For each delta, whether it changes something that both texts have. */
  readonly changes: boolean[];
  readonly opens: boolean;
}

function merging(old: Segments, now: Segments, how: Merging): Merge {
  const added = (isChange: boolean) => how.changes.push(isChange) - 1;
  const moved = new Map<string, number>();
  /** A member that moved is one delta at two places: with half of it, the text would have the member twice or not at all. */
  const alone = ({ key }: Segment): number => {
    const delta = (key === undefined ? undefined : moved.get(key)) ?? added(false);
    if (key !== undefined) moved.set(key, delta);
    return delta;
  };
  const keysOf = ({ parts }: Segments) => new Set(how.opens ? parts.map(({ key }) => key) : []);
  const keys = { gone: keysOf(now), new: keysOf(old) };
  const items = pairs(old.parts, now.parts).map(([a, b]): Merged => {
    if (!a || !b) {
      const [kind, part] = a ? (['gone', a] as const) : (['new', b!] as const);
      const isMoved = part.key !== undefined && keys[kind].has(part.key);
      const inside = how.opens && !isMoved ? opened(kind, part, how) : undefined;
      return inside ?? { kind, delta: alone(part), text: part.text };
    }
    if (a.text === b.text) return { kind: 'both', text: a.text };
    if (a.inner && b.inner && a.inner.before === b.inner.before && sameFrame(a.inner.value, b.inner.value))
      return { kind: 'inside', before: a.inner.before, merge: merging(a.inner.value, b.inner.value, how) };
    return { kind: 'changed', delta: added(true), old: a.text, text: b.text };
  });
  return { frame: now, items };
}

/** Undefined for what is short, and for what is no member: half of a row says less than a row. */
function opened(from: 'gone' | 'new', { text, inner }: Segment, how: Merging): Merged | undefined {
  if (text.length <= longMember || !inner || !/^(?:member|element)$/.test(inner.value.unit)) return undefined;
  const none = { ...inner.value, parts: [] };
  const [old, now] = from === 'new' ? [none, inner.value] : [inner.value, none];
  const merge = merging(old, now, how);
  return { kind: 'opened', bare: written(merge, () => from === 'gone'), before: inner.before, merge };
}

type PartPair = readonly [Segment | undefined, Segment | undefined];

/** Parts that belong to each other: members of the same name, others by their place among the equal ones. */
function pairs(old: readonly Segment[], now: readonly Segment[]): readonly PartPair[] {
  const idOf = ({ key, text }: Segment): string => key ?? text;
  const isNamed = [...old, ...now].every(({ key }) => key !== undefined);
  const found: PartPair[] = [];
  let gone: Segment[] = [];
  let come: Segment[] = [];
  const flush = () => {
    // As many new ones as old ones: each replaces one.
    const paired = !isNamed && gone.length === come.length;
    addAll(
      found,
      gone.map((part, i): PartPair => [part, paired ? come[i] : undefined]),
    );
    if (!paired)
      addAll(
        found,
        come.map((part): PartPair => [undefined, part]),
      );
    [gone, come] = [[], []];
  };
  let [i, j] = [0, 0];
  for (const { kind } of alignment(old.map(idOf), now.map(idOf))) {
    if (kind === 'shared') {
      flush();
      found.push([old[i++], now[j++]]);
    } else if (kind === 'gone') gone.push(old[i++]!);
    else come.push(now[j++]!);
  }
  flush();
  return found;
}

function written({ frame: { head, between, tail }, items }: Merge, applied: (delta: number) => boolean): string {
  const texts = items.flatMap(item => {
    if (item.kind === 'both') return [item.text];
    if (item.kind === 'inside') return [item.before + written(item.merge, applied)];
    if (item.kind === 'changed') return [applied(item.delta) ? item.text : item.old];
    if (item.kind === 'opened') {
      const rest = written(item.merge, applied);
      return rest === item.bare ? [] : [item.before + rest];
    }
    return applied(item.delta) === (item.kind === 'new') ? [item.text] : [];
  });
  return `${head}${texts.join(between)}${tail}`;
}

function describe({ items }: Merge, delta: number): string | undefined {
  for (const item of items) {
    const found = item.kind === 'inside' || item.kind === 'opened' ? describe(item.merge, delta) : undefined;
    if (found !== undefined) return found;
    if (item.kind === 'both' || item.kind === 'inside' || item.kind === 'opened' || item.delta !== delta) continue;
    return item.kind === 'changed' ? `-${item.old}+${item.text}` : `${item.kind === 'new' ? '+' : '-'}${item.text}`;
  }
  return undefined;
}

const sharedIn = ({ items }: Merge): number =>
  items.reduce((sum, item) => sum + (item.kind === 'both' ? 1 : item.kind === 'inside' ? sharedIn(item.merge) : 0), 0);

/** The same with only some of what both have. */
function without(merge: Merge, kept: Configuration): Merge {
  let next = 0;
  const walk = ({ frame, items }: Merge): Merge => ({
    frame,
    items: items.flatMap((item): readonly Merged[] => {
      if (item.kind === 'both') return has(kept, next++) ? [item] : [];
      return item.kind === 'inside' ? [{ ...item, merge: walk(item.merge) }] : [item];
    }),
  });
  return walk(merge);
}
