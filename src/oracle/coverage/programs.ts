/** Programs on PATH that a run finds by another one of the same name. */
import { accessSync, constants, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

export const pathOf = ({ PATH = ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter) }: Environment): string => PATH;

/** The first program of each name that matches. */
export function programsOn(path: string, name: RegExp, counts: (program: string) => boolean = () => true) {
  const found = new Map<string, string>();
  for (const folder of path.split(delimiter).filter(isAbsolute))
    for (const each of namesIn(folder)) {
      const full = join(folder, each);
      if (name.test(each) && !found.has(each) && isProgram(full) && counts(full)) found.set(each, full);
    }
  return [...found.values()];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Writes a script that is called like the program, and returns its path. */
export function placeWrapper(real: string, folder: string, script: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, basename(real));
  writeFileSync(path, script, { mode: 0o755 });
  return path;
}
