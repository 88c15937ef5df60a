/** Shortens names, or merges two of them. */
import type { Edit } from '../../syntax/edit.js';
import type { FlatTree } from '../../syntax/flat-tree.js';
import { freshNames, type Name, names } from '../../syntax/names/names.js';
import type { Syntax } from '../../syntax/syntax.js';
import { put } from '../../syntax/text-cut.js';
import type { TextPass } from './pass.js';

/** Shortens every identifier, everywhere at once (T-Rec's canonicalisation of same lexemes). */
export function rename(syntax: Syntax): TextPass {
  return {
    name: 'short name',
    async edits(text) {
      const tree = await syntax.tree(text);
      const fresh = freshNames(tree);
      const edits: Edit[] = [];
      const long = [...names(tree), ...repeatedStrings(tree)].filter(name => name.text.length > 1);
      // The most frequent get the shortest names.
      for (const name of long.sort((a, b) => b.leaves.length * b.text.length - a.leaves.length * a.text.length)) {
        const short = name.text[0] === '"' || name.text[0] === "'" ? undefined : (/^[@$]/.exec(name.text)?.[0] ?? '');
        const target = `${short ?? ''}${fresh.next().value}`;
        if (target.length < name.text.length) edits.push(respell(tree, name, 0, target));
      }
      return edits.reverse();
    },
  };
}

/** One identifier replaces another everywhere except at its first occurrence: Vulcan's replacement. */
export function mergeNames(syntax: Syntax, most = 3): TextPass {
  return {
    name: 'merged name',
    async edits(text) {
      const tree = await syntax.tree(text);
      const all = [...names(tree)].filter(name => name.leaves.length < 500);
      const frequent = [...all].sort((a, b) => b.leaves.length - a.leaves.length || a.text.length - b.text.length);
      const edits: Edit[] = [];
      for (const name of all.sort((a, b) => b.leaves.length - a.leaves.length)) {
        const others = frequent.filter(other => other !== name && other.text.length <= name.text.length).slice(0, most);
        for (const other of others.reverse()) {
          edits.push(respell(tree, name, 0, other.text));
          if (name.leaves.length > 1) edits.push(respell(tree, name, 1, other.text));
        }
      }
      return edits;
    },
  };
}

function respell(tree: FlatTree, name: Name, skip: number, target: string): Edit {
  return {
    spans: name.leaves.slice(skip).map(leaf => put(tree.text, tree.start[leaf]!, tree.end[leaf]!, target)),
    label: `${name.text} → ${target}`,
  };
}

/** Quoted things that occur several times are names too. */
function repeatedStrings(tree: FlatTree): Name[] {
  const found = new Map<string, number[]>();
  for (let node = 0; node < tree.count; node++) {
    const size = tree.end[node]! - tree.start[node]!;
    const quote = tree.text[tree.start[node]!];
    if (size < 3 || size > 80 || (quote !== '"' && quote !== "'")) continue;
    if (tree.text[tree.end[node]! - 1] !== quote) continue;
    const text = tree.text.slice(tree.start[node], tree.end[node]);
    const leaves = found.get(text);
    if (leaves === undefined) found.set(text, [node]);
    else if (tree.start[leaves[leaves.length - 1]!] !== tree.start[node]) leaves.push(node);
  }
  return [...found].filter(([, leaves]) => leaves.length > 1).map(([text, leaves]) => ({ text, leaves }));
}
