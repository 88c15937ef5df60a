/** What variables that only the old version of a text has are called in the new one. */
import { hunksBetween } from '../../core/diff.js';
import { addTo } from '../../core/lists.js';
import { pauseIfDue } from '../../core/pause.js';
import { type FlatTree, fieldOf, is, isComment, isLeaf, textOf } from '../flat-tree.js';
import { isFunction } from '../functions.js';
import { isIdentifier } from '../names/names.js';
import {
  type FunctionPair,
  isOwnName,
  leavesOf,
  type MatchedAndExported,
  variableOf,
  withoutNumber,
} from './matched-functions.js';

/** What a variable for the object becomes if a function that made objects is written as a class. */
export const itself = 'this';

type Votes = Map<string, Map<string, number>>;

/**
 * What variables that only old has are called in new: the name that most often is in their place, alone among the same tokens, or the variable of
 * the same function in new. First in the function itself, then close to it: a bundle has variables of the same name in many modules, and gives each
 * another name. `fewestVotes`: how often it must be in their place.
 */
export async function newNamesIn(
  old: FlatTree,
  now: FlatTree,
  { named, differing, exported }: MatchedAndExported,
  fewestVotes = 1,
): Promise<(pair: FunctionPair) => (name: string) => string | undefined> {
  const known = variablesIn(now);
  const [oldNames, newNames] = [identifiersIn(old), identifiersIn(now)];
  const anywhere: Votes = new Map();
  const inPair = new Map<FunctionPair, Votes>();
  for (const pair of differing) {
    await pauseIfDue();
    const [left, right] = [leavesOf(old, pair[0]), leavesOf(now, pair[1])];
    const here: Votes = new Map();
    inPair.set(pair, here);
    const isVariable = (leaves: readonly string[], at: number) =>
      word.test(leaves[at]!) && leaves[at - 1] !== '.' && leaves[at - 1] !== '?.';
    for (const { oldStart, oldCount, newStart, newCount } of hunksBetween(left, right)) {
      const [from, to] = [left[oldStart]!, right[newStart]!];
      if (oldCount !== 1 || newCount !== 1 || known.has(from)) continue;
      // `true` in the place of `false` is another value, and not another name.
      if (!oldNames.has(from) || !(newNames.has(to) || to === itself)) continue;
      if (!isVariable(left, oldStart) || !isVariable(right, newStart)) continue;
      for (const votes of [here, anywhere]) vote(votes, from, to);
    }
  }
  const functions = new Map<string, FunctionPair[]>();
  const isExported = new Set(exported);
  for (const pair of named) {
    const [from, to] = [variableOf(old, pair[0]), variableOf(now, pair[1])];
    if (from === undefined || to === undefined) continue;
    // A bundler may have given the name to another function, and this one a number.
    const isSame = isExported.has(pair) || withoutNumber(from) === withoutNumber(to);
    if (known.has(from) ? isSame : from !== to) addTo(functions, from, pair);
  }
  const closest = (name: string, [at]: FunctionPair): string | undefined => {
    const [first] = (functions.get(name) ?? []).toSorted((a, b) => Math.abs(a[0] - at) - Math.abs(b[0] - at));
    return first && variableOf(now, first[1]);
  };
  const voted = (votes: Votes | undefined, name: string) => mostIn(votes?.get(name), fewestVotes);
  return pair => name => voted(inPair.get(pair), name) ?? closest(name, pair) ?? voted(anywhere, name);
}

function vote(votes: Votes, from: string, to: string): void {
  const seen = votes.get(from) ?? new Map<string, number>();
  votes.set(from, seen.set(to, (seen.get(to) ?? 0) + 1));
}

function mostIn(seen: ReadonlyMap<string, number> | undefined, fewest: number): string | undefined {
  const [name, count] = seen ? [...seen].sort((a, b) => b[1] - a[1])[0]! : ['', 0];
  return count >= fewest ? name : undefined;
}

const identifiersIn = (tree: FlatTree): ReadonlySet<string> => {
  const found = new Set<string>();
  for (let node = 1; node < tree.count; node++)
    if (isLeaf(tree, node) && isIdentifier(tree, node)) found.add(textOf(tree, node));
  return found;
};

/** All names, except those that are only the names of members, or of functions in expressions, which are known only inside of these. */
export function variablesIn(tree: FlatTree): ReadonlySet<string> {
  const found = new Set<string>();
  let before = '';
  for (let node = 1; node < tree.count; node++) {
    if (!isLeaf(tree, node) || isComment(tree, node)) continue;
    const text = textOf(tree, node);
    const isMember = before === '.' || before === '?.';
    before = text;
    const parent = tree.parent[node]!;
    const isOwn = fieldOf(tree, node) === 'name' && parent > 0 && isFunction(tree, parent) && isOwnName(tree, parent);
    if (!isMember && !isOwn && !isMemberName(tree, node)) found.add(text);
  }
  return found;
}

/** In a class or an object: `a() {}`, `a: 1`. */
function isMemberName(tree: FlatTree, node: number): boolean {
  const parent = tree.parent[node]!;
  if (parent <= 0 || !['name', 'key'].includes(fieldOf(tree, node))) return false;
  const list = tree.parent[parent]!;
  return is(tree, parent, 'separable') && !is(tree, list, 'statementList') && !is(tree, list, 'body');
}

const word = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
export const words = /(?<![\p{L}\p{N}_$.])[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** A name is replaced if that can't mix up two variables. Members keep their names: they belong to objects, which both versions may make. */
export function underNewNames(text: string, newName: (name: string) => string | undefined): string {
  const renamed = new Map<string, string>();
  const own = new Set(text.match(words));
  for (const each of own) {
    const name = newName(each);
    if (name !== undefined && name !== each) renamed.set(each, name);
  }
  // A name that the text has too is free only if what has it now gets another one.
  const isTaken = ([, name]: readonly [string, string]) => own.has(name) && !renamed.has(name);
  for (let taken = [...renamed].find(isTaken); taken; taken = [...renamed].find(isTaken)) renamed.delete(taken[0]);
  return text.replace(words, each => renamed.get(each) ?? each);
}
