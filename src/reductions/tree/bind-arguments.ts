import { isIntroduced } from '../../syntax/bindings.js';
import { placed, withReplaced } from '../../syntax/expressions.js';
import { type FlatTree, grammarAt, isLeaf, isNamed, kindOf, sizeOf, textOf } from '../../syntax/flat-tree.js';
import { type Call, type Callable, isFunction, nameIn } from '../../syntax/functions.js';
import { isScript } from '../../syntax/languages/index.js';
import { freshNames } from '../../syntax/names.js';
import { isMember, isWritten, type Usage } from '../../syntax/usage.js';

/** What a function's body becomes when arguments are passed to it. */
export interface Passed {
  /** Nodes of the body and what stands there now. */
  readonly replaced: ReadonlyMap<number, string>;
  /** The argument that came from elsewhere, for every node that was replaced by one. */
  readonly sources: ReadonlyMap<number, number>;
  /** Declarations of the parameters that need a place of their own. */
  readonly declared: string;
}

/** An argument stands for its parameter, or the parameter becomes a variable where it is written to or stands often. */
export function passed(
  tree: FlatTree,
  usage: Usage,
  callable: Callable,
  call: Call,
  mayDeclare: boolean,
): Passed | undefined {
  const replaced = new Map<number, string>();
  const sources = new Map<number, number>();
  // What nobody looks at may still do something: it stays as a statement, and others see whether it can go.
  let effects = '';
  const aside = (unused: number | undefined): void => {
    if (unused !== undefined && mayDeclare && /\(|\+\+|--/.test(textOf(tree, unused)) && !isFunction(tree, unused))
      effects += `${textOf(tree, unused)}${/^(go|lua|ruby)$/.test(language) ? '\n' : ';'}`;
  };
  const pending: { param: number; name: number; text: string }[] = [];
  const { language: tongue } = grammarAt(tree, callable.node);
  const language = tongue.name;
  const isInScript = isScript(tongue);
  const { params, node } = callable;
  const hasSelf = !isInScript && call.receiver !== undefined && params.length === call.args.length + 1;
  const args = hasSelf ? [call.receiver!, ...call.args] : call.args;
  for (const [i, param] of params.entries()) {
    const arg = args[i] ?? param.byDefault;
    const text = arg === undefined ? '0' : textOf(tree, arg);
    if (/^(\.\.\.|\*)/.test(textOf(tree, param.node)) && !/declar/.test(kindOf(tree, param.node))) return undefined;
    if (param.name < 0) continue;
    const isName = isLeaf(tree, param.name) || kindOf(tree, param.name) === 'variable_name';
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
        const put = arg === undefined ? text : placed(tree, arg, text, use);
        replaced.set(use, /^shorthand/.test(kindOf(tree, use)) ? `${textOf(tree, use)}:${put}` : put);
        if (arg !== undefined) sources.set(use, arg);
      }
    else if (mayDeclare) pending.push({ param: param.node, name: param.name, text });
    else return undefined;
  }
  const { receiver } = call;
  if (isInScript && receiver !== undefined) {
    const own = kindOf(tree, node) === 'arrow_function' ? [] : selves(tree, node);
    if (own.length === 0) aside(receiver);
    for (const self of own) {
      replaced.set(self, placed(tree, receiver, textOf(tree, receiver), self));
      sources.set(self, receiver);
    }
  }
  const renames = renamed(tree, usage, callable, replaced);
  const declared = pending.map(({ param, name, text }) => {
    const renamedAs = (one: number): string => withReplaced(tree, tree.start[one]!, tree.end[one]!, renames);
    return declaration(language, renamedAs(param), renamedAs(name), text);
  });
  return { replaced: new Map([...replaced, ...renames]), sources, declared: effects + declared.join('') };
}

/** PHP's names have a sign before them. */
const signed = (tree: FlatTree, leaf: number): number =>
  kindOf(tree, tree.parent[leaf]!) === 'variable_name' ? tree.parent[leaf]! : leaf;

const isCheap = (tree: FlatTree, arg: number | undefined, uses: number): boolean =>
  arg === undefined ||
  uses === 1 ||
  isLeaf(tree, arg) ||
  (sizeOf(tree, arg) * uses < 12 && !/[(=]/.test(textOf(tree, arg)));

function declaration(language: string, param: string, own: string, value: string): string {
  switch (language) {
    case 'javascript':
    case 'typescript':
    case 'tsx':
      return `var ${own}=${value};`;
    case 'rust':
      return `let mut ${own}=${value};`;
    case 'go':
      return `${own}:=${value}\n`;
    case 'python':
      return `${own}=${value};`;
    case 'ruby':
      return `${own}=${value}\n`;
    case 'lua':
      return `local ${own}=${value}\n`;
    case 'php':
      return `${own}=${value};`;
    default:
      return `${param}=${value};`;
  }
}

/** `this`, where it means the receiver of the function and of none inside it. */
function selves(tree: FlatTree, node: number): number[] {
  const found: number[] = [];
  for (let one = node + 1; one < tree.past[node]!; one++) {
    const kind = kindOf(tree, one);
    if (kind === 'class_body' || (isFunction(tree, one) && kind !== 'arrow_function')) one = tree.past[one]! - 1;
    else if (kind === 'this' && isNamed(tree, one)) found.push(one);
  }
  return found;
}

/** What the function declares for itself gets another name where the text outside has something of that name. */
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
      changes.set(leaf, /^shorthand/.test(kindOf(tree, leaf)) ? `${textOf(tree, leaf)}:${other}` : other);
  }
  return changes;
}
