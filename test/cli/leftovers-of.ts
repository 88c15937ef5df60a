/** What a killed culprit may have left behind: processes with its mark in their environment, and its temporary folders. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Processes whose environment, or command line, contains the mark. */
export function processesOf(mark: string, file: 'environ' | 'cmdline' = 'environ'): readonly number[] {
  const holds = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(mark);
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter(pid => /^\d+$/.test(pid) && holds(pid))
    .map(Number);
}

export const foldersOf = (pid: number): readonly string[] =>
  [...new Set(['/dev/shm', tmpdir()])]
    .filter(existsSync)
    .flatMap(folder => readdirSync(folder).map(each => join(folder, each)))
    .filter(path => path.includes(`/culprit-${pid}-`) || path.includes(`/culprit-browser-${pid}-`));

export async function until(isTrue: () => boolean, patience = 120_000): Promise<void> {
  for (const began = Date.now(); !isTrue() && Date.now() - began < patience; )
    await new Promise(resolve => setTimeout(resolve, 5));
}
