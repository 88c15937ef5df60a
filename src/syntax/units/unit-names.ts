/** The names of a unit: what it declares, what it contains, and what tells it from others with the same name. */

import { childAt, type FlatTree, fieldOf, grammarAt, is, partsOf, textOf } from '../flat-tree.js';
import { isFunction } from '../functions.js';
import { isIntroduced } from '../introduced.js';
import { isIdentifier } from '../names/names.js';
import { assignmentAt } from '../names/usage.js';
import type { Found } from './balanced-units.js';

export const word = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/g;

/** Something around declarations that need each other no more than those of a file: in C++, also `extern "C"`. */
export const isNamespace = (tree: FlatTree, node: number): boolean =>
  (is(tree, node, 'namespace') || is(tree, node, 'declarationWrapper')) && childAt(tree, node, 'body') !== undefined;

export const isBodyOfNamespace = (tree: FlatTree, node: number): boolean =>
  fieldOf(tree, node) === 'body' && isNamespace(tree, tree.parent[node]!);

/** What a unit declares for others, and what it declares inside, without parameters and the variables of functions. */
export function namesOf(tree: FlatTree, unit: number): Pick<Found, 'names' | 'members' | 'owners'> {
  const { namesInText } = grammarAt(tree, unit).language;
  if (namesInText) {
    const name = namesInText.declared
      .exec(textOf(tree, unit))
      ?.slice(1)
      .find(each => each !== undefined);
    return { names: name === undefined ? [] : [name], members: [], owners: [] };
  }
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
        const owner = node < inside ? undefined : ownerOf(tree, unit, node);
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
  // Of a constructor, only the name of its class is left.
  for (const owner of owners) if (names.size > 1) names.delete(owner);
  // What has a name is mentioned by it before one of its members is; an enumerator is mentioned alone.
  const isReached = names.size > 0 && !enumeration.test(textOf(tree, unit).split('{')[0]!);
  if (isReached) members.clear();
  assigned(tree, unit, names, members);
  names.delete('');
  return { names: [...names], members: [...members], owners: [...owners] };
}

const enumeration = /\benum\b/;
/** The class in `int a::b()`, of which `b` is a part. */
function ownerOf({ text, start }: FlatTree, unit: number, leaf: number): string | undefined {
  const before = text.slice(Math.max(start[unit]!, start[leaf]! - longestQualifier), start[leaf]!).trimEnd();
  return before.endsWith('::') ? qualifier.exec(before)?.[1] : undefined;
}

const longestQualifier = 200;
/** `a::` and `a<int>::`, before a name. */
const qualifier = /([A-Za-z_]\w*)\s*(?:<(?:[^<>;{}()]|<[^<>;{}()]*>)*>)?\s*::\s*$/;

/** The names in every `<class T, int n = 1>` of a unit: they mean nothing outside it. */
export function typeParameters(tree: FlatTree, unit: number): ReadonlySet<string> {
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

export const wordsIn = (text: string): readonly string[] => [...new Set(text.match(word))];

/** The names of a unit that are those of classes. */
export function classesIn(tree: FlatTree, unit: number, names: readonly string[]): readonly string[] {
  const head = textOf(tree, unit).split('{')[0]!;
  return [...head.matchAll(classHead)].flatMap(([, name]) => (names.includes(name!) ? [name!] : []));
}

const classHead = /\b(?:class|struct|union|interface)\s+(\w+)/g;

/** What tells a function or a template from others with its name: its parameters, or `<int>` of `struct a<int> {}`. */
export function typesOf(tree: FlatTree, unit: number, isOneOfMany: boolean): string {
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
