/** Replaces parameters by arguments in the body of a function. */

import { toReplacement, withReplaced } from '../../../syntax/expressions.js';
import { type FlatTree, grammarAt, is, isLeaf, sizeOf, textOf } from '../../../syntax/flat-tree.js';
import { type Call, type Callable, isFunction, nameIn } from '../../../syntax/functions.js';
import { isIntroduced } from '../../../syntax/introduced.js';
import { freshNames } from '../../../syntax/names/names.js';
import { isMember, isWritten, type Usage } from '../../../syntax/names/usage.js';

/** What a function's body becomes when arguments are passed to it. */
export interface BoundBody {
  /** Nodes of the body and what replaces them. */
  readonly replaced: ReadonlyMap<number, string>;
  /** The argument that came from elsewhere, for every node that was replaced by one. */
  readonly sources: ReadonlyMap<number, number>;
  /** Declarations of the parameters that need a separate variable. */
  readonly declared: string;
}

export interface Inlining {
  readonly callable: Callable;
  readonly call: Call;
  /** There is room for declarations before the statement of the call. */
  readonly mayDeclare: boolean;
}

/** An argument replaces its parameter, or the parameter becomes a variable if it is assigned or used often. */
export function bindArguments(
  tree: FlatTree,
  usage: Usage,
  { callable, call, mayDeclare }: Inlining,
): BoundBody | undefined {
  const replaced = new Map<number, string>();
  const sources = new Map<number, number>();
  // A value that nobody uses may still have effects: it stays as a statement, and other passes try to remove it.
  let effects = '';
  const aside = (unused: number | undefined): void => {
    if (unused !== undefined && mayDeclare && /\(|\+\+|--/.test(textOf(tree, unused)) && !isFunction(tree, unused))
      effects += `${textOf(tree, unused)}${language.statementEnd}`;
  };
  const pending: { param: number; name: number; text: string }[] = [];
  const { language } = grammarAt(tree, callable.node);
  const { params, node } = callable;
  const selves = language.receiverIn?.(tree, node);
  const hasSelf = selves === undefined && call.receiver !== undefined && params.length === call.args.length + 1;
  const args = hasSelf ? [call.receiver!, ...call.args] : call.args;
  for (const [i, param] of params.entries()) {
    const arg = args[i] ?? param.byDefault;
    const text = arg === undefined ? '0' : textOf(tree, arg);
    if (/^(\.\.\.|\*)/.test(textOf(tree, param.node)) && !is(tree, param.node, 'declared')) return undefined;
    if (param.name < 0) continue;
    const isName = isLeaf(tree, param.name) || is(tree, param.name, 'signedName');
    const leaves = usage.alike(nameIn(tree, param.name)).filter(leaf => leaf > node && leaf < tree.past[node]!);
    const uses = leaves
      .filter(leaf => leaf < param.node || leaf >= tree.past[param.node]!)
      .map(leaf => signed(tree, leaf));
    const own = usage.bindingOf(nameIn(tree, param.name));
    const isSettled = isName && (own?.definitions.length ?? 1) === 1 && !uses.some(use => isWritten(tree, use));
    if (isSettled && uses.length === 0) {
      if (i < args.length) aside(arg);
      continue;
    }
    if (isSettled && (!mayDeclare || isCheap(tree, arg, uses.length)))
      for (const use of uses) {
        const put = arg === undefined ? text : toReplacement(tree, arg, text, use);
        replaced.set(use, is(tree, use, 'shorthand') ? `${textOf(tree, use)}:${put}` : put);
        if (arg !== undefined) sources.set(use, arg);
      }
    else if (mayDeclare) pending.push({ param: param.node, name: param.name, text });
    else return undefined;
  }
  const { receiver } = call;
  if (selves !== undefined && receiver !== undefined) {
    if (selves.length === 0) aside(receiver);
    for (const self of selves) {
      replaced.set(self, toReplacement(tree, receiver, textOf(tree, receiver), self));
      sources.set(self, receiver);
    }
  }
  const renames = renamed(tree, usage, callable, replaced);
  const declared = pending.map(({ param, name, text }) => {
    const renamedAs = (one: number): string => withReplaced(tree, tree.start[one]!, tree.end[one]!, renames);
    return language.declare(renamedAs(param), renamedAs(name), text);
  });
  return { replaced: new Map([...replaced, ...renames]), sources, declared: effects + declared.join('') };
}

/** PHP's names have a sign before them. */
const signed = (tree: FlatTree, leaf: number): number =>
  is(tree, tree.parent[leaf]!, 'signedName') ? tree.parent[leaf]! : leaf;

const isCheap = (tree: FlatTree, arg: number | undefined, uses: number): boolean =>
  arg === undefined ||
  uses === 1 ||
  isLeaf(tree, arg) ||
  (sizeOf(tree, arg) * uses < 12 && !/[(=]/.test(textOf(tree, arg)));

/** Local names of the function are renamed if the text outside has something of that name. */
function renamed(
  tree: FlatTree,
  usage: Usage,
  { node }: Callable,
  replaced: ReadonlyMap<number, string>,
): ReadonlyMap<number, string> {
  const changes = new Map<number, string>();
  const inside = (leaf: number): boolean => leaf > node && leaf < tree.past[node]!;
  const fresh = freshNames(tree);
  for (const { name, definitions, uses } of usage.bindings) {
    const leaves = [...definitions, ...uses];
    if (!leaves.every(inside) || leaves.some(leaf => replaced.has(leaf) || isMember(tree, leaf))) continue;
    if (!isIntroduced(tree, definitions[0]!) && !isWritten(tree, definitions[0]!)) continue;
    const others = usage.spelled(name).some(leaf => !inside(leaf) && !isMember(tree, leaf));
    if (!others) continue;
    const other = fresh.next().value as string;
    for (const leaf of leaves)
      changes.set(leaf, is(tree, leaf, 'shorthand') ? `${textOf(tree, leaf)}:${other}` : other);
  }
  return changes;
}
