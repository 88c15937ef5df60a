/** Where the blocks of a script can note that they are reached, for languages whose runtime does not know what it runs. */
import { type FlatTree, fieldOf, kindOf } from '../flat-tree.js';
import { isFunction } from '../functions.js';
import type { Probe, Probing } from '../probes.js';

/** A turn is this many nodes. */
const turn = 2_000;

/**
 * At the beginning of each block. It notes that as an expression reports its value, and a block that was never reached did not run. `block`: their
 * kinds; `opening`: what a block begins with.
 */
export const scriptProbing = (block: RegExp, opening: RegExp): Probing => ({
  *probesIn(tree) {
    const probes: Probe[] = [];
    for (let node = 1; node < tree.count; node++) {
      if (node % turn === 0) yield;
      if (!block.test(kindOf(tree, node))) continue;
      const opened = opening.exec(tree.text.slice(tree.start[node], tree.end[node]))?.[0];
      if (opened === undefined) continue;
      const whole = ownerOf(tree, node);
      probes.push({ start: tree.start[whole]!, end: tree.end[whole]!, at: tree.start[node]! + opened.length });
    }
    return probes;
  },
  // Such a program needs no compiler: its first run shows whether it is executed.
  startIn: () => undefined,
  call: id => `__culprit_value(${id},0);`,
  withPrelude: text => text,
});

/** A function that was not called, or what is left of a branch that was not taken. */
function ownerOf(tree: FlatTree, block: number): number {
  const above = tree.parent[block]!;
  return fieldOf(tree, block) === 'body' && isFunction(tree, above) ? above : block;
}
