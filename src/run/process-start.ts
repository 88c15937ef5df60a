/** When a process started, which distinguishes it from a later one with the same id. */
import { readFileSync } from 'node:fs';

/** In ticks since boot: field 22 of its stat, proc(5). `undefined` if there is no /proc, and for a zombie process. */
export function startOf(pid: number): number | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : Number(fields[19]);
}
