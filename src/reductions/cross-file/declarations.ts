/** Removes a declaration together with its imports and uses in all files. */
import { type FlatTree, firstLeaf, is } from '../../syntax/flat-tree.js';
import { declarationSpans, removalAround, toDefaultValue } from '../../syntax/names/repair.js';
import { disjoint, put } from '../../syntax/text-cut.js';
import type { Span } from '../edits.js';
import { initialiser } from '../tree/coupled.js';
import { closeOver, type Fix } from '../tree/filters/keep-references.js';
import type { FolderEdit } from './edits.js';
import { type Mentions, type Shared, sharedNames } from './shared.js';
import type { Source } from './sources.js';

/** Names with more uses than this are too common to remove at once. */
const most = 200;

/**
 * Removes a declaration together with its imports and re-exports, and with its uses in all files: these become its value if
 * that is self-contained, or a default value, or their statements are removed.
 */
export function removeDeclarations(sources: readonly Source[]): readonly FolderEdit[] {
  return sharedNames(sources).flatMap(shared => {
    const places = shared.mentions.reduce((sum, { uses }) => sum + uses.length, 0);
    if (places > most) return [];
    const value = valueOfAll(shared);
    const ways: readonly (readonly [string, Fix])[] = [
      ...(value === undefined ? [] : [['inline', inlining(value)] as const]),
      ['default for', ({ tree, table }, use) => toDefaultValue(tree, table, accessOf(tree, use))],
      ['delete statements with', ({ tree, table }, use) => removalAround(tree, table, use, true)],
    ];
    return ways.flatMap(([what, fix]) => {
      const edit = together(shared, fix, `${what} ${shared.name} in ${shared.mentions.length} files`);
      return edit === undefined ? [] : [edit];
    });
  });
}

function together({ mentions }: Shared, fix: Fix, label: string): FolderEdit | undefined {
  const spans = new Map<string, readonly Span[]>();
  for (const mention of mentions) {
    const own = spansIn(mention, fix);
    if (own === undefined) return undefined;
    spans.set(mention.source.path, own);
  }
  return { spans, label };
}

function spansIn({ source, declared, imported, uses }: Mentions, fix: Fix): readonly Span[] | undefined {
  const { tree, table } = source;
  const introduced = declarationSpans(tree, table, { name: '', definitions: declared, uses: [] });
  if (introduced === undefined) return undefined;
  const isGone = (leaf: number): boolean =>
    introduced.some(span => span.start <= tree.start[leaf]! && tree.end[leaf]! <= span.end);
  const rest = [
    ...imported.map(leaf => importSpan(source, leaf)),
    ...uses
      .filter(leaf => !isGone(leaf))
      .map(leaf => (isHandedOn(tree, leaf) ? removalAround(tree, table, leaf, true) : fix(source, leaf))),
  ];
  if (rest.some(span => span === undefined)) return undefined;
  return closeOver(source, disjoint([...introduced, ...(rest as Span[])]), fix);
}

/** What is removed with a specifier of an import: itself, or the whole statement if it is the only one. */
function importSpan({ tree, table }: Source, leaf: number): Span | undefined {
  const [span] = declarationSpans(tree, table, { name: '', definitions: [leaf], uses: [] }) ?? [];
  for (let node = tree.parent[leaf]!; node > 0; node = tree.parent[node]!) {
    if (!is(tree, node, 'namesStatement')) continue;
    const names = tree.text.slice(tree.start[node], tree.end[node]).split(/\bfrom\b|=/)[0]!;
    return names.includes(',') ? span : (removalAround(tree, table, leaf, true) ?? span);
  }
  return span;
}

/** `exports.name = …`, with which a file re-exports a name. */
function isHandedOn(tree: FlatTree, leaf: number): boolean {
  const above = tree.parent[leaf]!;
  return (
    is(tree, above, 'memberExpression') &&
    /^(module\.)?exports\b/.test(tree.text.slice(tree.start[above], tree.end[above]))
  );
}

/** The leaf to start from if the name is a member: `x` of `x.name`, so that the whole access is replaced. */
function accessOf(tree: FlatTree, leaf: number): number {
  const above = tree.parent[leaf]!;
  const isMember = above > 0 && is(tree, above, 'memberAccess');
  return isMember && tree.start[above]! < tree.start[leaf]! ? firstLeaf(tree, above) : leaf;
}

/** The value of a name with one declaration, if it means the same everywhere because it names nothing itself. */
function valueOfAll({ mentions }: Shared): string | undefined {
  const places = mentions.flatMap(({ source, declared }) => declared.map(leaf => ({ source, leaf })));
  if (places.length !== 1) return undefined;
  const value = initialiser(places[0]!.source.tree, places[0]!.leaf);
  const bare = value?.replace(/"[^"]*"|'[^']*'/g, '').replace(/\b(true|false|null|None|True|False)\b/g, '');
  return bare === undefined || value!.length > 60 || /[\p{L}_$`]/u.test(bare) ? undefined : value;
}

const inlining =
  (value: string): Fix =>
  ({ tree }, use) => {
    const whole = accessOf(tree, use) === use ? use : tree.parent[use]!;
    return put(tree.text, tree.start[whole]!, tree.end[whole]!, value);
  };
