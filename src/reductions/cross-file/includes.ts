/** Replaces the only line that includes a header by the header. */
import { dirname, join, normalize } from 'node:path/posix';
import { addTo } from '../../core/lists.js';
import type { Include as Included } from '../../syntax/languages/profile.js';
import type { FolderEdit } from './edits.js';
import type { Source } from './sources.js';

interface Include {
  readonly source: Source;
  readonly node: number;
}

/** Replaces the line that includes a header by the header, if only one file includes it. */
export function foldIncludes(sources: readonly Source[]): readonly FolderEdit[] {
  const paths = new Map(sources.map(source => [source.path, source]));
  const found = new Map<Source, Include[]>();
  for (const source of sources)
    for (const { node, name } of includesIn(source)) {
      const target = paths.get(normalize(join(dirname(source.path), name)));
      if (target !== undefined) addTo(found, target, { source, node });
    }
  return [...found].flatMap(([header, [include, ...others]]) => {
    if (include === undefined || others.length > 0 || include.source === header) return [];
    const { tree, path } = include.source;
    if (dirname(path) !== dirname(header.path) && includesIn(header).length > 0) return [];
    const text = header.text.endsWith('\n') ? header.text : `${header.text}\n`;
    const span = { start: tree.start[include.node]!, end: tree.end[include.node]!, text };
    return [{ spans: new Map([[path, [span]]]), gone: [header.path], label: `fold ${header.path} into ${path}` }];
  });
}

const includesIn = ({ tree, syntax }: Source): readonly Included[] => syntax.language.includes?.(tree) ?? [];
