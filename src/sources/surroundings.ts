/** Copies or links the folder in which a command runs. */
import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync, readSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Entry } from '../core/artifact.js';

/** How much a copy of a folder may cost; the rest is linked. */
export interface Room {
  readonly bytes: number;
  readonly entries: number;
}

export interface Surroundings {
  readonly files: ReadonlyMap<string, Entry>;
  /** What is too large to copy, or can't be read: all tests share the user's own files. */
  readonly linked: readonly string[];
}

const enough: Room = { bytes: 16 * 1024 * 1024, entries: 1500 };
/** Large by nature, and only read. */
const neverCopied = /^(node_modules|\.git|\.hg|\.svn|\.venv|venv|\.cache)$/;

/**
 * The folder in which a command was typed is copied for each test: neither another test nor the user may see what a test
 * writes there. Folders near the top are copied first; those that do not fit are links to the user's. Runs of culprit are
 * left out, also those that `--run` put elsewhere than in .culprit: they are no part of the program, and they change.
 */
export function surroundingsOf(folder: string, room: Room = enough): Surroundings {
  const files = new Map<string, Entry>();
  const linked: string[] = [];
  const left = { ...room };
  const link = (path: string) => {
    files.set(path, { kind: 'link', target: join(folder, path) });
    linked.push(path);
  };
  const open = [''];
  for (const under of open) {
    const items = namesIn(join(folder, under));
    if (under !== '' && items && isRun(join(folder, under), items)) continue;
    if (under !== '' && (items === undefined || items.length > left.entries)) {
      link(under);
      continue;
    }
    left.entries -= items?.length ?? 0;
    const before = files.size + open.length;
    for (const name of items ?? []) {
      const path = under === '' ? name : `${under}/${name}`;
      if (path === '.culprit') continue;
      const stats = statsOf(join(folder, path));
      if (stats === 'closed') link(path);
      else if (stats?.isSymbolicLink()) files.set(path, { kind: 'link', target: targetOf(folder, path) });
      else if (stats?.isDirectory()) neverCopied.test(name) || left.entries <= 0 ? link(path) : open.push(path);
      else if (stats?.isFile()) {
        const bytes = stats.size <= left.bytes ? bytesOf(join(folder, path)) : undefined;
        if (!bytes) link(path);
        else {
          left.bytes -= bytes.length;
          files.set(path, { kind: 'file', bytes, ...((stats.mode & 0o111) !== 0 && { executable: true }) });
        }
      }
    }
    if (under !== '' && files.size + open.length === before) files.set(under, { kind: 'folder' });
  }
  return { files: new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))), linked: linked.sort() };
}

/** A run's journal begins with its version. */
const journalStart = '{"culprit":';

function isRun(folder: string, names: readonly string[]): boolean {
  if (!names.includes('journal.jsonl')) return false;
  const head = Buffer.alloc(journalStart.length);
  try {
    const file = openSync(join(folder, 'journal.jsonl'), 'r');
    readSync(file, head);
    closeSync(file);
  } catch {
    return false;
  }
  return head.toString('latin1') === journalStart;
}

/** A folder may be listed, and what is in it may not be looked at. */
function statsOf(path: string): Stats | 'closed' | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return 'closed';
  }
}

function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder).sort();
  } catch {
    return undefined;
  }
}

function bytesOf(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** A link that leads out of the folder must point to the same target from its copy. */
function targetOf(folder: string, path: string): string {
  const target = readlinkSync(join(folder, path));
  const full = resolve(folder, dirname(path), target);
  return isAbsolute(target) || !relative(folder, full).startsWith('..') ? target : full;
}
