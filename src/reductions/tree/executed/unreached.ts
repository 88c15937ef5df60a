/** Removes declarations that the start of a program does not need. */
import type { Edit } from '../../../syntax/edit.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { cut } from '../../../syntax/text-cut.js';
import { unitsOf } from '../../../syntax/units/units.js';
import { closure } from '../../sliced.js';
import type { TextPass } from '../pass.js';

/**
 * For a language that is compiled, where a program starts at a function with a known name: whatever that does not mention, directly or
 * through others, is not needed. The tree shows where a name of C is declared only roughly; declarations as a whole are more reliable.
 * `isNamedElsewhere`: whether another file may mean a name of this one.
 */
export function unreached(syntax: Syntax, entry: string, isNamedElsewhere: (name: string) => boolean): TextPass {
  return {
    name: 'unused declaration',
    async edits(text) {
      const tree = await syntax.bareTree(text);
      const units = await unitsOf(tree, Number.POSITIVE_INFINITY);
      const isRoot = (name: string): boolean => name === entry || isNamedElsewhere(name);
      // Without a name, it is there for another reason: `#include`, an assertion, an instantiation.
      const roots = [...units.keys()].filter(
        i => units[i]!.isFixed || units[i]!.declares.length === 0 || units[i]!.declares.some(isRoot),
      );
      if (!units.some(({ declares }) => declares.some(isRoot))) return [];
      const kept = new Uint8Array(units.length);
      const ranges = closure(units)(roots);
      for (let i = 0; i < ranges.length; i += 2) kept.fill(1, ranges[i]!, ranges[i + 1]!);
      return units.flatMap(({ from, end, within, declares }, i): Edit[] =>
        kept[i] === 1 || within < 0 || kept[within] === 0
          ? []
          : [{ spans: [cut(text, from, end)], label: `unused ${declares[0] ?? ''}` }],
      );
    },
  };
}
