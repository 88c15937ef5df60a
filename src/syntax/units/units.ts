/** The declarations of a text, which names each of them declares, and which names it mentions. */
import { pauseIfDue } from '../../core/pause.js';
import { bracketed } from '../delimiters.js';
import {
  broken,
  childrenOf,
  errorKind,
  type FlatTree,
  fieldOf,
  grammarAt,
  is,
  isComment,
  isLeaf,
  isNamed,
  sizeOf,
  textOf,
} from '../flat-tree.js';
import { isFunction } from '../functions.js';
import { isListed } from '../names/repair.js';
import { type Removal, removalOf, startWithDialect } from '../removals.js';
import { balanced, closes, extend, type Found, surplus } from './balanced-units.js';
import {
  classesIn,
  isBodyOfNamespace,
  isNamespace,
  namesOf,
  typeParameters,
  typesOf,
  word,
  wordsIn,
} from './unit-names.js';

/** A declaration or statement that can be removed as a whole. The first unit is the text itself, which always stays. */
export interface Unit {
  readonly node: number;
  readonly start: number;
  readonly end: number;
  /** Where it begins with the comments in front of it, which go with it. */
  readonly from: number;
  /** The unit that contains it, as an index: always a smaller one. −1 for the text itself. */
  readonly within: number;
  /** Names that others may mention, by which they need this unit. */
  readonly declares: readonly string[];
  /** Every declared name in it; for a container, those outside the units that it contains. */
  readonly mentions: readonly string[];
  /** It cannot be removed: it opens or closes a bracket for others, because the parser did not understand the text. */
  readonly isFixed: boolean;
  /** It is used by a sign, and not by its name: an operator of the types that it mentions. */
  readonly isOperator: boolean;
  /**
   * It is one of many with its name, an overload or a specialisation for these types. What mentions the name means this one
   * only if the types are there too.
   */
  readonly onlyWith: readonly string[];
}

const none: ReadonlySet<string> = new Set();
const operator = /\boperator\b/;

/** A member or enumerator of more units is a common word, and says nothing about which of them is meant. */
const mostDeclarers = 4;

/** A function may be declared and then defined; with more declarations, a name is overloaded or specialised. */
const fewDeclarations = 2;

/** Places in functions that are taken apart, or all of them. */
export type Opened = readonly number[] | 'all';

/**
 * The declarations and statements of a text, in source order. A namespace is a container, and so is everything of at least
 * `large` characters that contains others: it is needed if one of them is, and they are not needed because of it. So are the
 * functions at the `opened` places: what uses the most of the others is taken apart. `all`: every class and every function is.
 */
export async function unitsOf(tree: FlatTree, large: number, opened: Opened = []): Promise<readonly Unit[]> {
  const { length } = tree.text;
  const whole: Found = { node: 0, start: 0, end: length, from: 0, within: -1, names: [], members: [], past: 1 };
  const all = [whole];
  await collect({ tree, large, opened, found: all }, 0, 0);
  whole.past = all.length;
  const hasErrors = tree.flags.some(flags => (flags & broken) !== 0);
  const found = hasErrors ? balanced(tree.text, all, large) : all;
  const isFixed = found.map((unit, i) => i === 0 || (hasErrors && surplus(tree.text, unit) !== 0));
  const { scopeOf, locals } = scopesIn(found);
  const outer = new Set(found.flatMap(({ names }, i) => (scopeOf[i]! < 0 ? names : [])));
  // Methods of a class that is taken apart are mentioned after a dot.
  const methods = new Set(
    found.flatMap(({ names, within }) => (within > 0 && !isNamespace(tree, found[within]!.node) ? names : [])),
  );
  const inner = new Map<string, number>();
  for (const { members } of found) for (const name of members) inner.set(name, (inner.get(name) ?? 0) + 1);
  const isTelling = (name: string): boolean => !outer.has(name) && inner.get(name)! <= mostDeclarers;
  // Keys of data are names that nobody mentions.
  const declared = new Set(outer.size === 0 ? [] : [...outer, ...[...inner.keys()].filter(isTelling)]);
  const declarations = new Map<string, number>();
  for (const [i, { node, names }] of found.entries())
    if (!is(tree, node, 'importing') && scopeOf[i]! < 0)
      for (const name of names) declarations.set(name, (declarations.get(name) ?? 0) + 1);
  const isOneOfMany = (names: readonly string[]): boolean =>
    names.length > 0 && names.every(name => (declarations.get(name) ?? 0) > fewDeclarations);
  // An alias may be needed only by the declarations that it tells apart.
  const classes = new Set(found.flatMap(({ node, names }) => (names.length > 0 ? classesIn(tree, node, names) : [])));
  const units: Unit[] = [];
  // If classes are taken apart, their members are units too.
  const isAll = opened === 'all';
  const mayBeMember = (name: string): boolean => isAll || !outer.has(name) || methods.has(name);
  const words = grammarAt(tree, 0).language.namesInText?.word ?? word;
  for (const [i, { node, start, end, from, within, names, members, owners = [], past }] of found.entries()) {
    const mentions = new Set<string>();
    const own = past === i + 1 ? typeParameters(tree, node) : none;
    const scope = scopeOf[i]!;
    for (const text of ownTexts(tree, found, i))
      for (const { 0: each, index } of text.matchAll(words))
        if (locals.get(scope)?.has(each) && !isAfterDot(text, index)) mentions.add(localName(scope, each));
        else if (declared.has(each) && !own.has(each) && (mayBeMember(each) || !isAfterDot(text, index)))
          mentions.add(each);
    // A constructor is mentioned wherever its class is.
    const inClass = within < 0 ? [] : found[within]!.names;
    const isConstructor = isAll && names.some(name => inClass.includes(name));
    units.push({
      node,
      start,
      end,
      from,
      within,
      declares: isConstructor
        ? []
        : scope < 0
          ? [...new Set([...names, ...members.filter(isTelling)])]
          : [...new Set(names)].map(name => localName(scope, name)),
      mentions: [...mentions],
      isFixed: isFixed[i]!,
      isOperator:
        past === i + 1 && names.length === 0 && members.length === 0 && operator.test(tree.text.slice(start, end)),
      onlyWith: [
        ...new Set([...owners, ...(past === i + 1 ? wordsIn(typesOf(tree, node, isOneOfMany(names))) : [])]),
      ].filter(each => classes.has(each) && !own.has(each) && !names.includes(each)),
    });
    await pauseIfDue();
  }
  return units;
}

/** By unit: the opened function that it is in, or −1; and the names that are declared in each of these. */
function scopesIn(found: readonly Found[]) {
  const scopeOf: number[] = [];
  const locals = new Map<number, Set<string>>();
  for (const { within, names } of found) {
    const scope = within < 0 ? -1 : found[within]!.isScope ? within : scopeOf[within]!;
    scopeOf.push(scope);
    if (scope < 0) continue;
    let known = locals.get(scope);
    if (!known) locals.set(scope, (known = new Set()));
    for (const name of names) known.add(name);
  }
  return { scopeOf, locals };
}

/** No word of the text: the same name elsewhere is another one. */
const localName = (scope: number, name: string): string => `${scope} ${name}`;

/** `a.b`, `a->b`: a member, whatever else has the same name. */
const isAfterDot = (text: string, at: number): boolean =>
  text[at - 1] === '.' || (text[at - 1] === '>' && text[at - 2] === '-');

interface Collecting {
  readonly tree: FlatTree;
  readonly large: number;
  readonly opened: Opened;
  readonly found: Found[];
}

/** The units among the children of a node. Only namespaces and what is large are entered. */
async function collect(state: Collecting, above: number, within: number): Promise<void> {
  const { tree, large, opened, found } = state;
  const isOpen = above === 0 || isBodyOfNamespace(tree, above);
  const isInside = isOpen || holdsDeclarations(tree, above);
  // What the parser could not read belongs to a declaration: the end of one before it, or the beginning of the next one.
  let from: number | undefined;
  let isUnfinished = false;
  const own: number[] = [];
  let previous = -1;
  let next = -1;
  let comment: number | undefined;
  for (const node of childrenOf(tree, above)) {
    previous = next;
    next = node;
    // An attribute is a part of what it is about.
    const isBefore = isComment(tree, node) || is(tree, node, 'attribute');
    if (isBefore) comment ??= tree.start[node]!;
    if (isBefore || !isNamed(tree, node)) continue;
    const commented = comment;
    comment = undefined;
    await pauseIfDue();
    const isLarge = sizeOf(tree, node) >= large;
    if (tree.kind[node] === errorKind && !isLarge) {
      if (!closes.test(textOf(tree, node))) from ??= tree.start[node]!;
      else if (own.length > 0) extend(tree.text, found, own, tree.end[node]!);
      continue;
    }
    const isOpened =
      (opened === 'all' || opened.some(place => tree.start[node]! <= place && place < tree.end[node]!)) &&
      (holdsFunction(tree, node) || (isFunction(tree, above) && fieldOf(tree, node) === 'body'));
    const isEntered = isLarge || isOpened || isNamespace(tree, node) || (opened === 'all' && !isLeaf(tree, node));
    const removal = removalOf(tree, node, previous);
    if (removal === undefined || !(isOpen || (isInside && isListed(tree, node)))) {
      if (isEntered || isBodyOfNamespace(tree, node)) await collect(state, node, within);
      continue;
    }
    const isItem = inCommas(tree, node, removal);
    const end = isItem ? removal.end : endOf(tree, node);
    const before = own.at(-1);
    const isContinued = isUnfinished && before !== undefined;
    isUnfinished = lacksEnd(tree, node);
    if (isContinued) {
      join(state, before, node, end);
      continue;
    }
    const at = found.length;
    const start = from ?? (isItem ? removal.start : startWithDialect(tree, node, previous));
    from = undefined;
    const unit: Found = { node, start, end, from: commented ?? start, within, ...namesOf(tree, node), past: at + 1 };
    found.push(unit);
    own.push(at);
    if (!isEntered) continue;
    await collect(state, node, at);
    // One part says no more than the whole. What is declared inside a container is declared by the units in it.
    if (!isNamespace(tree, node) && found.length <= at + 2) found.length = at + 1;
    else {
      unit.past = found.length;
      unit.members = [];
      unit.isScope = isOpened && !isLarge;
    }
  }
}

/** A function, or `template<class T>` with one. */
const holdsFunction = (tree: FlatTree, node: number): boolean =>
  isFunction(tree, node) ||
  (is(tree, node, 'declarationWrapper') && childrenOf(tree, node).some(child => isFunction(tree, child)));

/** The parser put in what it expected at the end, which has no text: what follows belongs to the node. */
function lacksEnd(tree: FlatTree, node: number): boolean {
  const last = tree.past[node]! - 1;
  return last > node && tree.start[last] === tree.end[last] && !isNamed(tree, last);
}

/** Adds a node to the unit before it, as one unit without parts. */
function join({ tree, found }: Collecting, before: number, node: number, end: number): void {
  const parts = found.splice(before);
  const more = namesOf(tree, node);
  // If it is not known what it declares, that may be every word in it.
  const names = more.names.length > 0 ? more.names : wordsIn(textOf(tree, node));
  found.push({
    ...parts[0]!,
    end,
    names: [...parts.flatMap(part => part.names), ...names],
    members: [...parts.flatMap(part => part.members), ...more.members],
    past: before + 1,
  });
}

/**
 * A body, a block, or the inside of brackets or tags; the head of a function holds no declarations that others need. What the
 * parser gave up on may be the rest of a file, with whole declarations in it.
 */
const holdsDeclarations = (tree: FlatTree, node: number): boolean =>
  tree.kind[node] === errorKind ||
  fieldOf(tree, node) === 'body' ||
  is(tree, node, 'statementList') ||
  (bracketed(tree, node) !== undefined &&
    !is(tree, node, 'parameters') &&
    !is(tree, node, 'arguments') &&
    !is(tree, node, 'parenthesized'));

/** In a list with commas, an item is removed with one of them: `[, , b]` is an error in most languages. */
const inCommas = (tree: FlatTree, node: number, { start, end }: Pick<Removal, 'start' | 'end'>): boolean =>
  [tree.text.slice(start, tree.start[node]), tree.text.slice(tree.end[node], end)].some(
    around => around.trim() === ',',
  );

/** With its semicolon. The separator before it belongs to its neighbour, which may stay. */
function endOf(tree: FlatTree, node: number): number {
  const next = tree.past[node]!;
  const isClosed = next < tree.count && tree.parent[next] === tree.parent[node] && textOf(tree, next) === ';';
  return tree.end[isClosed ? next : node]!;
}

/** The text of a unit without the units in it. */
function* ownTexts({ text }: FlatTree, found: readonly Found[], at: number): Generator<string> {
  const { start, end, past } = found[at]!;
  let from = start;
  for (let i = at + 1; i < past; i = found[i]!.past) {
    yield text.slice(from, found[i]!.start);
    from = Math.max(from, found[i]!.end);
  }
  yield text.slice(from, end);
}
