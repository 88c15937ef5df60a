/** Which expressions of Ruby can report their values. */
import { type FlatTree, kindOf, textOf } from '../flat-tree.js';
import { observing } from './observing.js';

export const rubyValues = observing({
  kinds: /^(identifier|instance_variable|global_variable|call|element_reference|binary|unary|conditional)$/,
  holds: new Map([
    ['argument_list', /^$/],
    ['array', /^$/],
    ['interpolation', /^$/],
    ['assignment', /^right$/],
    ['operator_assignment', /^right$/],
    ['optional_parameter', /^value$/],
    ['pair', /^value$/],
    ['binary', /^(left|right)$/],
    ['unary', /^operand$/],
    ['conditional', /^/],
    ['if', /^condition$/],
    ['unless', /^condition$/],
    ['elsif', /^condition$/],
    ['while', /^condition$/],
    ['until', /^condition$/],
    ['if_modifier', /^condition$/],
    ['unless_modifier', /^condition$/],
    ['case', /^value$/],
    ['call', /^receiver$/],
    ['element_reference', /^/],
  ]),
  transparent: /^parenthesized_statements$/,
  isLeftOut: (tree, node) => /^(super|self|private|public|protected)\b/.test(textOf(tree, node)) || isAsked(tree, node),
  around: id => [`__culprit_value(${id},`, ')'],
});

/** `defined?(a)` asks about the name itself. */
const isAsked = (tree: FlatTree, node: number): boolean => {
  const above = tree.parent[node]!;
  return kindOf(tree, above) === 'unary' && textOf(tree, above).startsWith('defined?');
};
