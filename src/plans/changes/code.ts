/** Shows changed lines as a diff. */
import type { FileChange } from '../../circumstances/changes/diff.js';
import type { Part } from '../../circumstances/changes/parts.js';

/** What parts change, as a diff shows it: removed lines with `-`, added lines with `+`. `most`: lines before it is cut. */
export function codeOf(files: readonly FileChange[], parts: readonly Part[], most = 2000): string {
  const lines: string[] = [];
  for (const part of parts) {
    const { oldLines, newLines } = files[part.file]!;
    for (let i = 0; i < part.oldCount; i++) lines.push(`-${shown(oldLines[part.oldStart + i])}`);
    for (let i = 0; i < part.newCount; i++) lines.push(`+${shown(newLines[part.newStart + i])}`);
  }
  if (lines.length > most) lines.splice(most, lines.length, `… ${lines.length - most} more lines`);
  return lines.join('\n');
}

/** Lines hold bytes; people read them as UTF-8. A carriage return is kept: it may be the difference. */
const shown = (line = ''): string => Buffer.from(line.replace(/\n$/, ''), 'latin1').toString('utf8');
