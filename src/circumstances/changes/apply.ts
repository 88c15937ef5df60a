/** Applies some of the changes of one file. */
import type { Entry } from '../../core/artifact.js';
import { type Configuration, key } from '../../core/index.js';
import { type Columns, mixLine } from './columns.js';
import type { FileChange } from './diff.js';
import { bytesOfLines } from './lines.js';
import type { Part } from './parts.js';

/** What a file becomes with some of its parts: a path and an entry, nothing at all, or impossible. */
export type Applied = { readonly path: string; readonly entry: Entry } | 'absent' | 'infeasible';

/** How many versions of one file are kept, so that the same parts give the same entry object again. */
const kept = 64;

/**
 * Applies any of a file's parts, given as a configuration of their places in `parts`. Positions refer to the old file and hunks
 * have no context, so every subset of hunks applies. None is the old entry itself and all is the new one itself.
 */
export function applying(change: FileChange, parts: readonly Part[]): (chosen: Configuration) => Applied {
  const known = new Map<string, Applied>();
  return chosen => {
    const name = key(chosen);
    const before = known.get(name);
    if (before) return before;
    const applied = apply(change, parts, chosen);
    if (known.size >= kept) known.delete(known.keys().next().value!);
    known.set(name, applied);
    return applied;
  };
}

function apply(change: FileChange, parts: readonly Part[], chosen: Configuration): Applied {
  const { oldPath, newPath, old, new: now } = change;
  if (chosen.length === 0) return old ? { path: oldPath!, entry: old } : 'absent';
  if (chosen[0] === 0 && chosen[1] === parts.length) return now ? { path: newPath!, entry: now } : 'absent';
  let renamed = false;
  let executable = old?.kind === 'file' && old.executable === true;
  let created = old !== undefined;
  const edits: Part[] = [];
  for (let i = 0; i < chosen.length; i += 2)
    for (const part of parts.slice(chosen[i], chosen[i + 1])) {
      if (part.kind === 'rename') renamed = true;
      else if (part.kind === 'mode') executable = !executable;
      else if (part.kind === 'add') {
        created = true;
        executable = now?.kind === 'file' && now.executable === true;
      } else edits.push(part);
    }
  if (!created) return 'infeasible';
  const path = (renamed || old === undefined ? newPath : oldPath)!;
  if (edits.length === 0 && old?.kind === 'file' && executable === (old.executable === true))
    return { path, entry: old };
  const bytes = edits.length === 0 && old?.kind === 'file' ? old.bytes : bytesOfLines(spliced(change, edits));
  return { path, entry: executable ? { kind: 'file', bytes, executable } : { kind: 'file', bytes } };
}

function spliced(change: FileChange, edits: readonly Part[]): string[] {
  const lines: string[] = [];
  let position = 0;
  for (const [at, { oldStart, oldCount, newStart, newCount, columns }] of edits.entries()) {
    for (; position < oldStart; position++) lines.push(change.oldLines[position]!);
    if (columns) {
      // The first edit of a line applies the others too.
      if (position > oldStart) continue;
      lines.push(mixLine(change.oldLines[oldStart]!, change.newLines[newStart]!, columnsFrom(edits, at)));
      position = oldStart + 1;
      continue;
    }
    for (let i = newStart; i < newStart + newCount; i++) lines.push(change.newLines[i]!);
    position = oldStart + oldCount;
  }
  for (; position < change.oldLines.length; position++) lines.push(change.oldLines[position]!);
  return lines;
}

/** The edits of one line, from the first of them on. */
function columnsFrom(edits: readonly Part[], first: number): readonly Columns[] {
  const found: Columns[] = [];
  for (let i = first; edits[i]?.columns && edits[i]!.oldStart === edits[first]!.oldStart; i++)
    found.push(edits[i]!.columns!);
  return found;
}
