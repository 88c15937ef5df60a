/** The first passes over a large program: its end with what it uses, and what the rest can be without. */
import type { Circumstance } from '../../core/index.js';
import type { Structure } from '../../reductions/tree/index.js';
import type { Pass } from '../pass.js';
import {
  alone,
  fromTheEnd,
  halvesOnly,
  independent,
  type ListStrategy,
  mostPromisingFirst,
  oneByOne,
  outermostOnly,
  partsWhileTheyHelp,
  smallText,
  whileItHelps,
} from './large-text.js';

/**
 * The end of a large program with what it uses. By name only in a text by itself, as slices are. Each pass stops soon if it finds nothing: what the others remove makes the next questions cheaper.
 */
export function usesOfEnd(structure: Structure): readonly Pass<string>[] {
  const large = (
    name: string,
    strategy: (circumstance: Circumstance<string>, thorough?: boolean, price?: number) => ListStrategy,
    over: (text: string) => ReturnType<Structure['layersOfUse']>,
  ): Pass<string> => ({
    name,
    early: true,
    leads: true,
    // What is needed would be asked about in each turn, and what comes after it never.
    skipsRefused: 'always',
    over: (text, _, place = alone(text)) =>
      place.whole <= smallText || place.whole > text.length ? undefined : over(text),
    strategy,
  });
  const users = (name: string, parts: 'large parts' | 'single', strategy = whileItHelps) =>
    large(
      name,
      () => strategy,
      text => structure.declarationsWithUsers(text, parts),
    );
  return [
    large('what the end uses', () => outermostOnly, structure.layersOfUse),
    large('what the end does not use', () => whileItHelps, structure.unusedByEnd),
    large('what the preprocessor left', () => outermostOnly, structure.leftByPreprocessor),
    large('parts of the end', () => partsWhileTheyHelp, structure.slicesOfEnd),
    users('halves of declarations', 'large parts', halvesOnly),
    { ...large('promising declarations', mostPromisingFirst, structure.promisingDeclarations), isRenewed: true },
    large('details of the end', oneByOne, structure.detailsOfEnd),
    large('end with its uses', fromTheEnd, structure.endWithUses),
    users('declarations with their users', 'large parts'),
    large('bodies with their uses', () => whileItHelps, structure.bodiesWithUses),
    large('declarations alone', independent, text => structure.declarationsAlone(text, 'outer')),
    large('members alone', independent, text => structure.declarationsAlone(text, 'members')),
    users('declarations with what still uses them', 'single'),
  ];
}
