/** Writes the difference between two versions as a patch in git's format. */
import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { Entry } from '../../core/artifact.js';
import type { Hunk } from '../../core/diff.js';
import { addAll } from '../../core/lists.js';
import { bytesOf } from '../../sources/file-names.js';
import type { Snapshot } from '../../sources/versions/snapshot.js';
import { diffSnapshots, type FileChange } from './diff.js';
import type { Lines } from './lines.js';

/**
 * The patch that turns `before` into `after`, in git's format: `git apply` accepts all of it, `patch -p1` all but binary
 * files. As bytes, because a patch is in whatever encodings its files are in.
 */
export function patchBetween(before: Snapshot, after: Snapshot, context = 3): Uint8Array {
  const text = diffSnapshots(before, after)
    .flatMap(change => split(change))
    .map(change => fileText(change, context))
    .join('');
  return Buffer.from(text, 'latin1');
}

/** git can only express that a file became a link, or a link a file, by deleting one and adding the other. */
function split(change: FileChange): readonly FileChange[] {
  const { old, new: now, oldPath, newPath } = change;
  if (!old || !now || old.kind === now.kind) return [change];
  return [
    { ...change, kind: 'deleted', new: undefined, newPath: undefined, hunks: [], newLines: [], oldPath, old },
    { ...change, kind: 'added', old: undefined, oldPath: undefined, hunks: [], oldLines: [], newPath, new: now },
  ];
}

function fileText(change: FileChange, context: number): string {
  const { old, new: now } = change;
  // git has no folders, only files in them.
  if ((old ?? now)?.kind === 'folder') return '';
  const a = quote('a', (change.oldPath ?? change.newPath)!);
  const b = quote('b', (change.newPath ?? change.oldPath)!);
  const lines = [`diff --git ${a} ${b}`];
  if (!old) lines.push(`new file mode ${modeOf(now!)}`);
  else if (!now) lines.push(`deleted file mode ${modeOf(old)}`);
  else if (modeOf(old) !== modeOf(now)) lines.push(`old mode ${modeOf(old)}`, `new mode ${modeOf(now)}`);
  const before = contentOf(old);
  const after = contentOf(now);
  const same = before !== undefined && after !== undefined && Buffer.compare(before, after) === 0;
  if (old && now && change.oldPath !== change.newPath)
    lines.push(
      `similarity index ${same ? 100 : 50}%`,
      `rename from ${quote('', change.oldPath!)}`,
      `rename to ${quote('', change.newPath!)}`,
    );
  if (same) return `${lines.join('\n')}\n`;
  const [oldLines, newLines, hunks] = textOf(change);
  lines.push(
    `index ${objectId(before)}..${objectId(after)}${old && now && modeOf(old) === modeOf(now) ? ` ${modeOf(old)}` : ''}`,
  );
  if (!hunks) return `${lines.join('\n')}\n${binary(before, after)}`;
  if (hunks.length === 0) return `${lines.join('\n')}\n`;
  lines.push(`--- ${old ? a : '/dev/null'}`, `+++ ${now ? b : '/dev/null'}`);
  return `${lines.join('\n')}\n${hunkText(oldLines, newLines, hunks, context)}`;
}

/** Both texts and their hunks, or no hunks if one of them is binary. */
function textOf(change: FileChange): readonly [Lines, Lines, readonly Hunk[] | undefined] {
  const linesOf = (entry: Entry | undefined, lines: Lines): Lines =>
    entry?.kind === 'link' ? [latin(entry.target)] : lines;
  const oldLines = linesOf(change.old, change.oldLines);
  const newLines = linesOf(change.new, change.newLines);
  const isText = (entry: Entry | undefined, lines: Lines): boolean =>
    entry?.kind !== 'file' || lines.length > 0 || entry.bytes.length === 0;
  if (!isText(change.old, oldLines) || !isText(change.new, newLines)) return [oldLines, newLines, undefined];
  if (change.hunks.length > 0) return [oldLines, newLines, change.hunks];
  const all = { oldStart: 0, oldCount: oldLines.length, newStart: 0, newCount: newLines.length };
  return [oldLines, newLines, all.oldCount + all.newCount > 0 ? [all] : []];
}

function hunkText(oldLines: Lines, newLines: Lines, hunks: readonly Hunk[], context: number): string {
  const pieces: string[] = [];
  for (let i = 0; i < hunks.length; ) {
    const group = [hunks[i++]!];
    while (i < hunks.length && hunks[i]!.oldStart - end(group.at(-1)!) <= 2 * context) group.push(hunks[i++]!);
    const first = group[0]!;
    const lead = Math.min(context, first.oldStart);
    const tail = Math.min(context, oldLines.length - end(group.at(-1)!));
    const body: string[] = [];
    let position = first.oldStart - lead;
    for (const hunk of group) {
      for (; position < hunk.oldStart; position++) body.push(shown(' ', oldLines[position]!));
      for (let k = 0; k < hunk.oldCount; k++) body.push(shown('-', oldLines[hunk.oldStart + k]!));
      for (let k = 0; k < hunk.newCount; k++) body.push(shown('+', newLines[hunk.newStart + k]!));
      position = end(hunk);
    }
    for (let k = 0; k < tail; k++) body.push(shown(' ', oldLines[position + k]!));
    const oldCount = position + tail - (first.oldStart - lead);
    const newCount = oldCount + group.reduce((sum, hunk) => sum + hunk.newCount - hunk.oldCount, 0);
    pieces.push(`@@ -${range(first.oldStart - lead, oldCount)} +${range(first.newStart - lead, newCount)} @@\n`);
    addAll(pieces, body);
  }
  return pieces.join('');
}

const end = (hunk: Hunk): number => hunk.oldStart + hunk.oldCount;
const range = (start: number, count: number): string => `${count === 0 ? start : start + 1},${count}`;
const shown = (sign: string, line: string): string =>
  line.endsWith('\n') ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;

const latin = (text: string): string => bytesOf(text).toString('latin1');

function modeOf(entry: Entry): string {
  if (entry.kind === 'link') return '120000';
  return entry.kind === 'file' && entry.executable ? '100755' : '100644';
}

function contentOf(entry: Entry | undefined): Uint8Array | undefined {
  if (entry?.kind === 'file') return entry.bytes;
  return entry?.kind === 'link' ? bytesOf(entry.target) : undefined;
}

/** git checks a binary patch against the whole id of what it replaces. */
const objectId = (content: Uint8Array | undefined): string =>
  content === undefined
    ? '0'.repeat(40)
    : createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');

/** git quotes a path as a C string if it contains quotes, backslashes or control characters. */
function quote(side: string, path: string): string {
  const full = latin(side === '' ? path : `${side}/${path}`);
  if (!/["\\\x00-\x1f\x7f]/.test(full)) return full;
  const escaped = full.replace(/["\\\x00-\x1f\x7f]/g, c =>
    c === '"' || c === '\\' ? `\\${c}` : `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
  return `"${escaped}"`;
}

/** git's own format for binary files: the content of both sides, deflated, in base 85, 52 bytes per line with its length in front. */
const binary = (before: Uint8Array | undefined, after: Uint8Array | undefined): string =>
  `GIT binary patch\n${literal(after)}\n${literal(before)}\n`;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

function literal(content: Uint8Array = new Uint8Array()): string {
  const packed = deflateSync(content);
  const lines = [`literal ${content.length}\n`];
  for (let start = 0; start < packed.length; start += 52) {
    const row = packed.subarray(start, start + 52);
    const length = row.length <= 26 ? String.fromCharCode(64 + row.length) : String.fromCharCode(70 + row.length);
    let text = length;
    for (let i = 0; i < row.length; i += 4) {
      let value = 0;
      for (let k = 0; k < 4; k++) value = value * 256 + (row[i + k] ?? 0);
      let word = '';
      for (let k = 0; k < 5; k++) {
        word = alphabet[value % 85] + word;
        value = Math.floor(value / 85);
      }
      text += word;
    }
    lines.push(`${text}\n`);
  }
  return lines.join('');
}
