/** State differences as deltas: which of the failing run's values are put into the passing run at a place. */
import { type Circumstance, has } from '../../core/index.js';
import type { Compared } from './differences.js';
import { type Change, isOpaque, isReference, type Node, type Path, type State, type Value } from './graph.js';

/** A value of a transplant: `l` is an object of the passing run, `n` a newly created one. */
export type Transplanted = string | number | boolean | null | readonly ['l' | 'n', number] | readonly ['u', string];

/** What a debugger applies at a place. Plain data: the program that is watched reads it. */
export interface Transplant {
  /** Where, and which differences: what identifies a test. */
  readonly key: string;
  readonly changes: readonly object[];
  /** How to find existing objects. */
  readonly live: readonly (Path | { readonly known: string })[];
  /** Objects to create. */
  readonly fresh: readonly object[];
}

/** All deltas applied is the failing state; none is the passing one. A delta that can't be transplanted is infeasible. */
export function stateDifferences(
  place: string,
  { differences, partners }: Compared,
  failing: State,
): Circumstance<Transplant> {
  return {
    name: 'variable',
    count: differences.length,
    build(configuration) {
      const chosen = differences.filter((_, delta) => has(configuration, delta));
      const parts = transplantOf(
        chosen.map(({ change }) => change),
        partners,
        failing,
      );
      const key = `${place} ${chosen.map(({ names, change }) => `${change.do} ${names[0]}`).join(' + ')}`;
      return parts && { key, ...parts };
    },
    describe: delta => differences[delta]!.variable,
  };
}

/** Whether a difference can be put into another run at all. */
export const isTransplantable = (change: Change, partners: Compared['partners'], failing: State): boolean =>
  transplantOf([change], partners, failing) !== undefined;

class Untransplantable extends Error {}

function transplantOf(
  changes: readonly Change[],
  partners: Compared['partners'],
  { nodes }: State,
): Omit<Transplant, 'key'> | undefined {
  const live: (Path | { readonly known: string })[] = [];
  const fresh: object[] = [];
  const made = new Map<number, Transplanted>();
  const waiting: number[] = [];
  const value = (from: Value): Transplanted => {
    if (isOpaque(from)) throw new Untransplantable(from[1]);
    if (!isReference(from)) return from;
    const known = made.get(from[1]);
    if (known) return known;
    const node = nodes[from[1]]!;
    const path = node.k === 'known' ? { known: node.c! } : partners.get(from[1]);
    if (path === undefined && !canBeMade(node)) throw new Untransplantable(node.c ?? node.k);
    const to: Transplanted = path ? ['l', live.push(path) - 1] : ['n', waiting.push(from[1]) - 1];
    made.set(from[1], to);
    return to;
  };
  const pairs = (list: readonly (readonly [Value, Value])[]) => list.map(([a, b]) => [value(a), value(b)]);
  try {
    const applied = changes.map(change => {
      // `this` itself can't be changed, only what it contains.
      if (change.do === 'set' && change.at.steps.length === 0 && change.at.root.scope < 0)
        throw new Untransplantable('this');
      if (change.at.steps.at(-1) === '[[Prototype]]') throw new Untransplantable('prototype');
      switch (change.do) {
        case 'set':
          return { ...change, value: value(change.value) };
        case 'insert':
          return { ...change, key: value(change.key), value: value(change.value) };
        case 'list':
        case 'members':
          return { ...change, values: change.values.map(value) };
        case 'entries':
          return { ...change, entries: pairs(change.entries) };
        case 'delete':
        case 'content':
          return change;
        default:
          change satisfies never;
          return change;
      }
    });
    for (let i = 0; i < waiting.length; i++) {
      const { k, c, x, p, a, m, e, fixed } = nodes[waiting[i]!]!;
      const like = p === undefined ? {} : { p: p === null ? null : prototypeOf(value(p)) };
      fresh.push({
        k,
        c,
        x,
        ...like,
        ...(fixed ? { fixed } : {}),
        ...(a ? { a: a.map(value) } : {}),
        ...(m ? { m: pairs(m) } : {}),
        ...(e ? { e: e.map(([key, each]) => [key, value(each)]) } : {}),
      });
    }
    return { changes: applied, live, fresh };
  } catch (error) {
    if (error instanceof Untransplantable) return undefined;
    throw error;
  }
}

const canBeMade = ({ k }: Node): boolean => k !== 'code' && k !== 'opaque';

/** An object of a class that the passing run does not have can't be created, because its prototype is missing. */
function prototypeOf(value: Transplanted): Transplanted {
  if (Array.isArray(value) && value[0] === 'l') return value;
  throw new Untransplantable('class');
}
