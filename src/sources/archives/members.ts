/** What the formats of archives have in common: members with names that make a folder. */
import type { Entry } from '../../core/artifact.js';

export interface Member {
  readonly entry: Entry;
  /** What the format says of it besides its name and content. */
  readonly head: Uint8Array;
}

/** By name, in the order of the file. */
export type Members = ReadonlyMap<string, Member>;

/** More than this is not unpacked: an input of a few kilobytes may claim to hold terabytes. */
export const mostUnpacked = 256 * 1024 ** 2;

/**
 * The name as a path in a folder: `dir/` and `./dir` are `dir`. Nothing if it is no such path, or does not come out again as the
 * same bytes; such an archive stays as it is.
 */
export function pathOf(name: Uint8Array): string | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(name);
  } catch {
    return undefined;
  }
  const path = text.replace(/^(?:\.\/)+/, '').replace(/\/$/, '');
  const isPlain = path.split('/').every(part => part !== '' && part !== '.' && part !== '..');
  return isPlain && !path.includes('\0') ? path : undefined;
}

/** Whether no member is in the way of another one: a file can't also be a folder. */
export function areApart(members: Members): boolean {
  for (const path of members.keys())
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const above = members.get(path.slice(0, end));
      if (above !== undefined && above.entry.kind !== 'folder') return false;
    }
  return true;
}
