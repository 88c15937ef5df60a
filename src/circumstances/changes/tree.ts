/** Changes as a tree of folders, files and hunks. */
import type { Artifact } from '../../core/artifact.js';
import { type Circumstance, type Configuration, deltasOf, has, of } from '../../core/index.js';
import type { Changes } from './changes.js';

export interface ChangeTree extends Circumstance<Artifact> {
  readonly parents: ArrayLike<number>;
  /** The changes that a configuration of nodes applies: a change is applied if it and all its ancestors are in it. */
  leaves(nodes: Configuration): Configuration;
  /** The nodes for these changes, with all their ancestors. */
  nodes(changes: Configuration): Configuration;
  describe(node: number): string;
}

interface Node {
  readonly label: string;
  readonly children: Map<string, Node>;
  readonly changes: number[];
}

/** Numbered in preorder. A folder with one entry is not a separate level: it would cost a test and decide nothing. */
export function treeOf(changes: Changes): ChangeTree {
  const root: Node = { label: '', children: new Map(), changes: [] };
  for (const [delta, change] of changes.changes.entries())
    placeFor(root, change.label, change.parts[0]!).changes.push(delta);
  const parents: number[] = [];
  const labels: string[] = [];
  const changeAt: number[] = [];
  const nodeOf = new Int32Array(changes.count);
  const put = (label: string, parent: number, change: number): number => {
    parents.push(parent);
    labels.push(label);
    changeAt.push(change);
    return parents.length - 1;
  };
  const walk = (node: Node, parent: number): void => {
    const things = node.children.size + node.changes.length;
    const above = node === root || things === 1 ? parent : put(node.label, parent, -1);
    for (const child of node.children.values()) walk(child, above);
    for (const delta of node.changes) {
      // A line of an added file is a child of the change that adds the file.
      const needs = changes.parents[delta]!;
      nodeOf[delta] = put(changes.describe(delta), needs >= 0 ? nodeOf[needs]! : above, delta);
    }
  };
  walk(root, -1);
  const leaves = (nodes: Configuration): Configuration => {
    const applied: number[] = [];
    for (const node of deltasOf(nodes)) {
      let at = node;
      while (at >= 0 && has(nodes, at)) at = parents[at]!;
      if (at < 0 && changeAt[node]! >= 0) applied.push(changeAt[node]!);
    }
    return of(applied);
  };
  return {
    name: 'node',
    count: parents.length,
    parents,
    leaves,
    nodes(configuration) {
      const found: number[] = [];
      for (const delta of deltasOf(configuration))
        for (let at = nodeOf[delta]!; at >= 0; at = parents[at]!) found.push(at);
      return of(found);
    },
    weights: changeAt.map(change => (change < 0 ? 1 : changes.weights[change]!)),
    describe: node => labels[node] ?? `node ${node}`,
    build: nodes => changes.build(leaves(nodes)),
  };
}

function placeFor(root: Node, label: string, part: { readonly oldPath?: string; readonly newPath?: string }): Node {
  let node = root;
  const path = (part.newPath ?? part.oldPath ?? label).split('/');
  for (let i = 1; i <= path.length; i++) {
    const name = path.slice(0, i).join('/');
    const next = node.children.get(name) ?? { label: name, children: new Map(), changes: [] };
    node.children.set(name, next);
    node = next;
  }
  return node;
}
