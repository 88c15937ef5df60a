/**
 * What differs between the states of a passing and a failing run at the same place: the largest common part of two memory
 * graphs, found from the variables inwards (Zimmermann and Zeller, "Visualizing Memory Graphs", 2001; Zeller, FSE 2002, §4).
 * It departs from the paper in pairing greedily, by the shortest access path: two objects are the same one if the same path
 * leads to them first. A pair stays a pair, so a path that leads to another object than its pair is a separate difference.
 */

import { addAll } from '../../core/lists.js';
import { textOf } from './describe-value.js';
import {
  type Change,
  isOpaque,
  isReference,
  isSamePrimitive,
  type Node,
  type Path,
  type State,
  type Step,
  type Value,
} from './graph.js';

export interface Difference {
  readonly change: Change;
  /** How people write it: `this.c`, `rows[2].total`. */
  readonly variable: string;
  /** The function whose variable it is, if that is not the innermost one. */
  readonly of?: string;
  /** All access paths that lead to it, with their frames: the same variable has one of them in common at another place. */
  readonly names: readonly string[];
  readonly passing: string;
  readonly failing: string;
}

export interface Compared {
  readonly differences: readonly Difference[];
  /** Nodes of the failing state that have a partner in the passing one, and the path to it there. */
  readonly partners: ReadonlyMap<number, Path>;
}

/** How many elements of a list are changed one by one. If more of them differ, the list is changed as a whole. */
const fewElements = 4;
const mostNames = 8;
const mostSteps = 6;

/** `undefined` if the two are not at the same place: another function is running, or it was called from elsewhere. */
export function compareStates(passing: State, failing: State): Compared | undefined {
  if (!isSameStack(passing, failing)) return undefined;
  const partner = new Map<number, number>();
  const partnerOf = new Map<number, number>();
  const paths = new Map<number, Path>();
  const edges = new Map<number, Edge[]>();
  const found: { change: Change; from: Value; to: Value | undefined; holder?: number }[] = [];
  const queue: { path: Path; a: Value; b: Value; holder?: number }[] = [];

  const visit = (path: Path, a: Value, b: Value, holder?: number) =>
    void queue.push({ path, a, b, ...(holder === undefined ? {} : { holder }) });
  const add = (change: Change, from: Value, to: Value | undefined, holder?: number) =>
    void found.push({ change, from, to, ...(holder === undefined ? {} : { holder }) });

  const failingRoots = new Map(failing.roots.map(root => [`${root.frame} ${root.scope} ${root.name}`, root.value]));
  for (const { value, ...root } of passing.roots) {
    const other = failingRoots.get(`${root.frame} ${root.scope} ${root.name}`);
    if (other !== undefined) visit({ root, steps: [] }, value, other);
  }

  for (const { path, a, b, holder } of drain(queue)) {
    const set = () => add({ do: 'set', at: path, value: b }, a, b, holder);
    if (!isReference(a) || !isReference(b)) {
      const isSame = !isReference(a) && !isReference(b) && (isSamePrimitive(a, b) || (isOpaque(a) && isOpaque(b)));
      if (!isSame) set();
      continue;
    }
    const into = edges.get(a[1]) ?? [];
    if (into.length < mostNames) edges.set(a[1], [...into, { path, ...(holder === undefined ? {} : { holder }) }]);
    if (partner.get(a[1]) === b[1]) continue;
    const [x, y] = [passing.nodes[a[1]]!, failing.nodes[b[1]]!];
    if (partner.has(a[1]) || partnerOf.has(b[1]) || !canPair(x, y)) {
      set();
      continue;
    }
    partner.set(a[1], b[1]);
    partnerOf.set(b[1], a[1]);
    paths.set(a[1], path);
    compareNodes(x, y, { path, node: a[1], visit, add });
  }

  const partners = new Map([...partnerOf].map(([b, a]) => [b, paths.get(a)!]));
  const differences = found.map(({ change, from, to, holder }): Difference => {
    const around = holder === undefined ? [] : pathsTo(holder, edges);
    const last = change.at.steps.at(-1);
    const isInside = change.do === 'set' || change.do === 'delete';
    const all =
      holder === undefined
        ? [change.at]
        : around.map(path => (isInside ? { root: path.root, steps: [...path.steps, last!] } : path));
    const { function: inner } = passing.frames.find(({ frame }) => frame === change.at.root.frame) ?? { function: '' };
    return {
      change,
      variable: `${pathText(change.at)}${change.do === 'insert' ? `.get(${textOf(change.key, failing)})` : ''}`,
      ...(change.at.root.frame === passing.frames[0]?.frame || change.at.root.outer ? {} : { of: inner }),
      names: all.map(path => nameOf(path, passing)),
      passing: textOf(from, passing),
      failing: to === undefined ? 'absent' : textOf(to, failing),
    };
  });
  return { differences, partners };
}

/** An access path to a node: a variable, or a step from another node. */
interface Edge {
  readonly path: Path;
  readonly holder?: number;
}

/** All access paths to a node, under any name, as long as they are short and few; none of them is circular. */
function pathsTo(
  node: number,
  edges: ReadonlyMap<number, readonly Edge[]>,
  passed: readonly number[] = [],
): readonly Path[] {
  if (passed.length > mostSteps || passed.includes(node)) return [];
  const found: Path[] = [];
  for (const { path, holder } of edges.get(node) ?? []) {
    const ways =
      holder === undefined
        ? [path]
        : pathsTo(holder, edges, [...passed, node]).map(way => ({
            root: way.root,
            steps: [...way.steps, path.steps.at(-1)!],
          }));
    addAll(found, ways);
    if (found.length >= mostNames) break;
  }
  return found.slice(0, mostNames);
}

/** A queue that grows while it is read. */
function* drain<T>(queue: readonly T[]): Generator<T> {
  for (let i = 0; i < queue.length; i++) yield queue[i]!;
}

const isSameStack = (a: State, b: State): boolean =>
  a.frames.length === b.frames.length &&
  a.frames.every((frame, i) => {
    const other = b.frames[i]!;
    return frame.function === other.function && frame.line === other.line && frame.path === other.path;
  });

function canPair(a: Node, b: Node): boolean {
  if (a.k !== b.k || a.c !== b.c) return false;
  if (a.k === 'known' || a.k === 'opaque') return true;
  if (!a.fixed) return a.k !== 'bytes' || a.x?.length === b.x?.length;
  const [these, those] = [a.a ?? [], b.a ?? []];
  return (
    a.x === b.x &&
    these.length === those.length &&
    these.every(
      (value, i) =>
        isReference(value) === isReference(those[i]) && (isReference(value) || isSamePrimitive(value, those[i]!)),
    )
  );
}

interface Comparing {
  readonly path: Path;
  readonly node: number;
  visit(path: Path, a: Value, b: Value, holder: number): void;
  add(change: Change, from: Value, to: Value | undefined, holder: number): void;
}

function compareNodes(a: Node, b: Node, { path, node, visit, add }: Comparing): void {
  const inside = (step: Step): Path => ({ root: path.root, steps: [...path.steps, step] });
  const self: Value = ['r', node];
  if (a.p !== undefined && b.p !== undefined && isReference(a.p) && isReference(b.p))
    visit(inside('[[Prototype]]'), a.p, b.p, node);
  if (!a.fixed && a.x !== b.x && a.x !== undefined)
    add({ do: 'content', at: path, x: b.x! }, ['u', a.t ?? a.x], ['u', b.t ?? b.x!], node);
  if (a.k === 'list') compareLists(a.a!, b.a!, { path, node, visit, add }, inside);
  if (a.k === 'set') {
    if (a.a!.length !== b.a!.length || a.a!.some((value, i) => !isAlike(value, b.a![i]!)))
      add({ do: 'members', at: path, values: b.a! }, self, membersText(b.a!), node);
    else for (const [i, value] of a.a!.entries()) visit(inside(['s', i]), value, b.a![i]!, node);
  }
  if (a.k === 'map') compareMaps(a.m!, b.m!, { path, node, visit, add }, inside);
  const fields = new Map(b.e ?? []);
  for (const [key, value] of a.e ?? []) {
    const other = fields.get(key);
    fields.delete(key);
    if (other !== undefined) visit(inside(key), value, other, node);
    else if (!a.fixed) add({ do: 'delete', at: inside(key) }, value, undefined, node);
  }
  for (const [key, value] of fields)
    if (!a.fixed) add({ do: 'set', at: inside(key), value }, ['u', 'absent'], value, node);
}

const isAlike = (a: Value, b: Value): boolean =>
  isReference(a) ? isReference(b) : !isReference(b) && isSamePrimitive(a, b);
const membersText = (values: readonly Value[]): Value => ['u', `${values.length} members`];

function compareLists(
  a: readonly Value[],
  b: readonly Value[],
  { path, node, visit, add }: Comparing,
  inside: (step: Step) => Path,
): void {
  const isPlain = [a, b].every(list => !list.some(isReference));
  const shared = Math.min(a.length, b.length);
  const different = isPlain ? a.filter((value, i) => i < shared && !isSamePrimitive(value, b[i]!)).length : 0;
  if (isPlain && (a.length !== b.length || different > fewElements)) {
    add({ do: 'list', at: path, from: 0, values: b }, listValue(a), listValue(b), node);
    return;
  }
  for (let i = 0; i < shared; i++) visit(inside(String(i)), a[i]!, b[i]!, node);
  if (a.length !== b.length)
    add(
      { do: 'list', at: path, from: shared, values: b.slice(shared) },
      ['u', `${a.length} elements`],
      ['u', `${b.length} elements`],
      node,
    );
}

/** A whole list as text, so that two lists can be compared. */
const listValue = (values: readonly Value[]): Value => [
  'u',
  `[${values.map(value => (Array.isArray(value) ? value[1] : JSON.stringify(value))).join(', ')}]`,
];

/** Entries are paired by their keys; those whose keys are objects, by their order. */
function compareMaps(
  a: readonly (readonly [Value, Value])[],
  b: readonly (readonly [Value, Value])[],
  { path, node, visit, add }: Comparing,
  inside: (step: Step) => Path,
): void {
  const plain = (entries: typeof a) =>
    new Map(
      entries.flatMap(([key, value], i) =>
        isReference(key) ? [] : [[JSON.stringify(key), { i, key, value }] as const],
      ),
    );
  const keyed = (entries: typeof a) =>
    entries.flatMap(([key, value], i) => (isReference(key) ? [{ i, key, value }] : []));
  const [these, those] = [keyed(a), keyed(b)];
  if (these.length !== those.length) {
    add({ do: 'entries', at: path, entries: b }, ['u', `${a.length} entries`], ['u', `${b.length} entries`], node);
    return;
  }
  for (const [n, { i, key, value }] of these.entries()) {
    visit(inside(['k', i]), key, those[n]!.key, node);
    visit(inside(['v', i]), value, those[n]!.value, node);
  }
  const others = plain(b);
  for (const [text, { i, value }] of plain(a)) {
    const other = others.get(text);
    others.delete(text);
    if (other) visit(inside(['v', i]), value, other.value, node);
    else add({ do: 'delete', at: inside(['v', i]) }, value, undefined, node);
  }
  for (const { key, value } of others.values())
    add({ do: 'insert', at: path, key, value }, ['u', 'absent'], value, node);
}

const pathText = ({ root, steps }: Path): string =>
  steps.reduce<string>((text, step) => {
    if (typeof step !== 'string')
      return step[0] === 's' ? `${text}{${step[1]}}` : `${text}.${step[0] === 'k' ? 'key' : 'entry'}(${step[1]})`;
    if (/^\d+$/.test(step)) return `${text}[${step}]`;
    return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(step) ? `${text}.${step}` : `${text}[${JSON.stringify(step)}]`;
  }, root.name);

/** A frame keeps its number, counted from the bottom of the stack, as long as it exists. */
function nameOf(path: Path, { frames }: State): string {
  const at = frames.findIndex(({ frame }) => frame === path.root.frame);
  const frame = path.root.outer ? 'outer' : `${frames.length - at} ${frames[at]?.function ?? ''}`;
  return `${frame}: ${pathText(path)}`;
}
