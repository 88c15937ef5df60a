/** The declarations of a text, which names each of them declares, and which names it mentions. */
import { pauseIfDue } from '../core/pause.js';
import { balanced, closes, extend, type Found, surplus } from './balanced-units.js';
import { isIntroduced } from './bindings.js';
import { bracketed } from './delimiters.js';
import {
  broken,
  childAt,
  childrenOf,
  errorKind,
  type FlatTree,
  fieldOf,
  is,
  isComment,
  isNamed,
  partsOf,
  sizeOf,
  textOf,
} from './flat-tree.js';
import { isFunction } from './functions.js';
import { isIdentifier } from './names.js';
import { isListed, type RemovalTable, removalTable } from './repair.js';
import { assignmentAt } from './usage.js';

/** A declaration or statement that can be removed as a whole. The first unit is the text itself, which always stays. */
export interface Unit {
  readonly node: number;
  readonly start: number;
  readonly end: number;
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

const word = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/g;
const operator = /\boperator\b/;

/** A member or enumerator of more units is a common word, and says nothing about which of them is meant. */
const mostDeclarers = 4;

/** A function may be declared and then defined; with more declarations, a name is overloaded or specialised. */
const fewDeclarations = 2;

/**
 * The declarations and statements of a text, in source order. A namespace is a container, and so is everything of at least
 * `large` characters that contains others: it is needed if one of them is, and they are not needed because of it.
 */
export async function unitsOf(tree: FlatTree, large: number): Promise<readonly Unit[]> {
  const { length } = tree.text;
  const whole: Found = { node: 0, start: 0, end: length, within: -1, names: [], members: [], past: 1 };
  const all = [whole];
  await collect({ tree, table: removalTable(tree), large, found: all }, 0, 0);
  whole.past = all.length;
  const hasErrors = tree.flags.some(flags => (flags & broken) !== 0);
  const found = hasErrors ? balanced(tree.text, all, large) : all;
  const isFixed = found.map((unit, i) => i === 0 || (hasErrors && surplus(tree.text, unit) !== 0));
  const outer = new Set(found.flatMap(({ names }) => names));
  const inner = new Map<string, number>();
  for (const { members } of found) for (const name of members) inner.set(name, (inner.get(name) ?? 0) + 1);
  const isTelling = (name: string): boolean => !outer.has(name) && inner.get(name)! <= mostDeclarers;
  // Keys of data are names that nobody mentions.
  const declared = new Set(outer.size === 0 ? [] : [...outer, ...[...inner.keys()].filter(isTelling)]);
  const declarations = new Map<string, number>();
  for (const { node, names } of found)
    if (!is(tree, node, 'importing'))
      for (const name of names) declarations.set(name, (declarations.get(name) ?? 0) + 1);
  const isOneOfMany = (names: readonly string[]): boolean =>
    names.length > 0 && names.every(name => (declarations.get(name) ?? 0) > fewDeclarations);
  // An alias may be needed only by the declarations that it tells apart.
  const classes = new Set(found.flatMap(({ node, names }) => (names.length > 0 ? classesIn(tree, node, names) : [])));
  const units: Unit[] = [];
  for (const [i, { node, start, end, within, names, members, owners = [], past }] of found.entries()) {
    const mentions = new Set<string>();
    const own = past === i + 1 ? typeParameters(tree, node) : none;
    for (const text of ownTexts(tree, found, i))
      for (const { 0: each, index } of text.matchAll(word))
        if (declared.has(each) && !own.has(each) && (!outer.has(each) || !isAfterDot(text, index))) mentions.add(each);
    units.push({
      node,
      start,
      end,
      within,
      declares: [...new Set([...names, ...members.filter(isTelling)])],
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

/** `a.b`, `a->b`: a member, whatever else has the same name. */
const isAfterDot = (text: string, at: number): boolean =>
  text[at - 1] === '.' || (text[at - 1] === '>' && text[at - 2] === '-');

interface Collecting {
  readonly tree: FlatTree;
  readonly table: RemovalTable;
  readonly large: number;
  readonly found: Found[];
}

/** The units among the children of a node. Only namespaces and what is large are entered. */
async function collect(state: Collecting, above: number, within: number): Promise<void> {
  const { tree, table, large, found } = state;
  const isOpen = above === 0 || isBodyOfNamespace(tree, above);
  const isInside = isOpen || holdsDeclarations(tree, above);
  // What the parser could not read belongs to a declaration: the end of one before it, or the beginning of the next one.
  let from: number | undefined;
  let isUnfinished = false;
  const own: number[] = [];
  for (const node of childrenOf(tree, above)) {
    if (isComment(tree, node) || !isNamed(tree, node)) continue;
    await pauseIfDue();
    const isLarge = sizeOf(tree, node) >= large;
    if (tree.kind[node] === errorKind && !isLarge) {
      if (!closes.test(textOf(tree, node))) from ??= tree.start[node]!;
      else if (own.length > 0) extend(tree.text, found, own, tree.end[node]!);
      continue;
    }
    const isEntered = isLarge || isNamespace(tree, node);
    const removal = table.get(node);
    if (removal === undefined || !(isOpen || (isInside && isListed(tree, node)))) {
      if (isEntered || isBodyOfNamespace(tree, node)) await collect(state, node, within);
      continue;
    }
    const end = endOf(tree, node);
    const before = own.at(-1);
    const isContinued = isUnfinished && before !== undefined;
    isUnfinished = lacksEnd(tree, node);
    if (isContinued) {
      join(state, before, node, end);
      continue;
    }
    const at = found.length;
    const start = from ?? tree.start[node]!;
    from = undefined;
    const unit: Found = { node, start, end, within, ...namesOf(tree, node), past: at + 1 };
    found.push(unit);
    own.push(at);
    if (!isEntered) continue;
    await collect(state, node, at);
    // One part says no more than the whole. What is declared inside a container is declared by the units in it.
    if (!isNamespace(tree, node) && found.length <= at + 2) found.length = at + 1;
    else {
      unit.past = found.length;
      unit.members = [];
    }
  }
}

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

/** A body, a block, or the inside of brackets or tags; the head of a function holds no declarations that others need. */
const holdsDeclarations = (tree: FlatTree, node: number): boolean =>
  fieldOf(tree, node) === 'body' ||
  is(tree, node, 'statementList') ||
  (bracketed(tree, node) !== undefined &&
    !is(tree, node, 'parameters') &&
    !is(tree, node, 'arguments') &&
    !is(tree, node, 'parenthesized'));

/** With its semicolon. The separator before it belongs to its neighbour, which may stay. */
function endOf(tree: FlatTree, node: number): number {
  const next = tree.past[node]!;
  const isClosed = next < tree.count && tree.parent[next] === tree.parent[node] && textOf(tree, next) === ';';
  return tree.end[isClosed ? next : node]!;
}

/** Something around declarations that need each other no more than those of a file: in C++, also `extern "C"`. */
const isNamespace = (tree: FlatTree, node: number): boolean =>
  (is(tree, node, 'namespace') || is(tree, node, 'declarationWrapper')) && childAt(tree, node, 'body') !== undefined;

const isBodyOfNamespace = (tree: FlatTree, node: number): boolean =>
  fieldOf(tree, node) === 'body' && isNamespace(tree, tree.parent[node]!);

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

/** What a unit declares for others, and what it declares inside, without parameters and the variables of functions. */
function namesOf(tree: FlatTree, unit: number): Pick<Found, 'names' | 'members' | 'owners'> {
  const names = new Set(importedBy(tree, unit));
  const members = new Set<string>();
  const owners = new Set<string>();
  const body = isNamespace(tree, unit) ? childAt(tree, unit, 'body') : undefined;
  const past = body ?? tree.past[unit]!;
  let inside = 0;
  // A loop, not a recursion: nesting may be 50,000 deep.
  for (let node = unit; node < past; ) {
    if (isIdentifier(tree, node) || is(tree, node, 'typeName')) {
      const isKey = fieldOf(tree, node) === 'key';
      if (isKey || isIntroduced(tree, node) || isSpecialised(tree, node)) {
        (isKey || node < inside ? members : names).add(textOf(tree, node));
        const [, owner] =
          node < inside ? [] : (qualifier.exec(tree.text.slice(tree.start[unit]!, tree.start[node]!)) ?? []);
        if (owner !== undefined) owners.add(owner);
      }
      node++;
      continue;
    }
    const isBody = fieldOf(tree, node) === 'body' && node > unit;
    if (isBody) inside = Math.max(inside, tree.past[node]!);
    const isHidden = (isBody && isFunction(tree, tree.parent[node]!)) || is(tree, node, 'parameters');
    node = isHidden ? tree.past[node]! : node + 1;
  }
  assigned(tree, unit, names, members);
  names.delete('');
  // Of a constructor, only the name of its class is left.
  for (const owner of owners) if (names.size > 1) names.delete(owner);
  // What has a name is mentioned by it before one of its members is; an enumerator is mentioned alone.
  const isReached = names.size > 0 && !enumeration.test(textOf(tree, unit).split('{')[0]!);
  return { names: [...names], members: isReached ? [] : [...members], owners: [...owners] };
}

const enumeration = /\benum\b/;
/** `a::` and `a<int>::`, before a name. */
const qualifier = /([A-Za-z_]\w*)\s*(?:<(?:[^<>;{}()]|<[^<>;{}()]*>)*>)?\s*::\s*$/;

const none: ReadonlySet<string> = new Set();

/** The names in every `<class T, int n = 1>` of a unit: they mean nothing outside it. */
function typeParameters(tree: FlatTree, unit: number): ReadonlySet<string> {
  const found = new Set<string>();
  for (let node = unit; node < tree.past[unit]!; node++) {
    if (!is(tree, node, 'parameters') || tree.text[tree.start[node]!] !== '<') continue;
    for (const part of partsOf(tree, node)) {
      const name = textOf(tree, part).split('=')[0]!.match(word)?.at(-1);
      if (name !== undefined) found.add(name);
    }
  }
  return found;
}

const wordsIn = (text: string): readonly string[] => [...new Set(text.match(word))];

/** The names of a unit that are those of classes. */
function classesIn(tree: FlatTree, unit: number, names: readonly string[]): readonly string[] {
  const head = textOf(tree, unit).split('{')[0]!;
  return [...head.matchAll(classHead)].flatMap(([, name]) => (names.includes(name!) ? [name!] : []));
}

const classHead = /\b(?:class|struct|union|interface)\s+(\w+)/g;

/** What tells a function or a template from others with its name: its parameters, or `<int>` of `struct a<int> {}`. */
function typesOf(tree: FlatTree, unit: number, isOneOfMany: boolean): string {
  for (let node = unit; node < tree.past[unit]!; node++) {
    if (fieldOf(tree, node) === 'body' && node > unit) return '';
    // `<class T>` is a list of parameters too.
    const isList = is(tree, node, 'parameters') && tree.text[tree.start[node]!] === '(';
    if (isList) return isOneOfMany ? textOf(tree, node) : '';
    const isName = isIdentifier(tree, node) || is(tree, node, 'typeName');
    if (isName && isSpecialised(tree, node)) return textOf(tree, tree.parent[node]!);
  }
  return '';
}

/** The name in `struct a<int> {}`: for others, one more declaration of it. */
function isSpecialised(tree: FlatTree, leaf: number): boolean {
  const above = tree.parent[leaf]!;
  return (
    fieldOf(tree, leaf) === 'name' &&
    /^(name|declarator)$/.test(fieldOf(tree, above)) &&
    is(tree, tree.parent[above]!, 'introducing')
  );
}

/** `using std::a;` makes a name known that others mention. */
const importedBy = (tree: FlatTree, unit: number): readonly string[] =>
  is(tree, unit, 'importing') ? (textOf(tree, unit).match(word)?.slice(-1) ?? []) : [];

/** `a = b.c = …`: the variable a, and the member c. */
function assigned(tree: FlatTree, unit: number, names: Set<string>, members: Set<string>): void {
  if (!is(tree, unit, 'expressionStatement')) return;
  for (let at = assignmentAt(tree, unit + 1); at !== undefined; at = assignmentAt(tree, at.right)) {
    const words = textOf(tree, at.left).match(word) ?? [];
    (words.length > 1 ? members : names).add(words.at(-1) ?? '');
  }
}
