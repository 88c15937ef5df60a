/** The profile of Lua. */
import { childAt, type FlatTree, isLeaf, kindOf, textOf } from '../flat-tree.js';
import { beforeByLine, profile, withoutBrackets } from './generic.js';
import { luaValues } from './lua-values.js';
import { scriptProbing } from './script-probes.js';

export const lua = profile({
  name: 'lua',
  wasm: 'lua',
  observation: luaValues,
  probing: scriptProbing(/^block$/, /^/),
  extensions: ['lua'],
  names: true,
  comments: ['--'],
  constants: withoutBrackets,
  statementEnd: '\n',
  declare: (_, name, value) => `local ${name}=${value}\n`,
  before: beforeByLine,
  receiverIn: selvesIn,
});

/** `function a:b()` has a parameter `self` that is not written; in `function a.b(self)` it is one like the others. */
function selvesIn(tree: FlatTree, method: number): readonly number[] | undefined {
  const name = childAt(tree, method, 'name');
  if (name === undefined || kindOf(tree, name) !== 'method_index_expression') return undefined;
  const found: number[] = [];
  for (let node = tree.past[name]!; node < tree.past[method]!; node++)
    if (isLeaf(tree, node) && textOf(tree, node) === 'self') found.push(node);
  return found;
}
