/** Some changes joined into one: they are applied or left out together. */
import { type Configuration, deltasOf, of } from '../../core/index.js';
import { greatestOf, leastOf } from '../../core/lists.js';
import type { Change, Changes } from './changes.js';
import { describePart, type Part } from './parts.js';

/** `groups`: every change is in exactly one. In the order in which they come. */
export function joinChanges(changes: Changes, groups: readonly (readonly number[])[]): Changes {
  if (groups.length === changes.count) return changes;
  const joined = groups.map(group => joinedOf(group.map(delta => changes.changes[delta]!)));
  const groupOf = new Map(groups.flatMap((group, i) => group.map(delta => [delta, i] as const)));
  const { weights, parents } = changes;
  return {
    ...changes,
    count: groups.length,
    changes: joined,
    weights: groups.map(group => group.reduce((sum, delta) => sum + weights[delta]!, 0)),
    parents: Int32Array.from(groups, ([first]) => groupOf.get(parents[first!]!) ?? -1),
    describe: delta => joined[delta]?.label ?? `change ${delta}`,
    build: (configuration: Configuration) =>
      changes.build(of([...deltasOf(configuration)].flatMap(group => groups[group]!))),
  };
}

function joinedOf(changes: readonly Change[]): Change {
  const [first, ...others] = changes;
  if (others.length === 0) return first!;
  const parts = changes.flatMap(change => change.parts);
  return { kind: first!.kind, label: describePart(around(parts)), parts };
}

/** From the first to the last line of several parts of one file. */
function around(parts: readonly Part[]): Part {
  const [oldStart, newStart] = [leastOf(parts.map(part => part.oldStart)), leastOf(parts.map(part => part.newStart))];
  const oldEnd = greatestOf(parts.map(part => part.oldStart + part.oldCount));
  const newEnd = greatestOf(parts.map(part => part.newStart + part.newCount));
  return { ...parts[0]!, oldStart, oldCount: oldEnd - oldStart, newStart, newCount: newEnd - newStart };
}
