/** Files beside a workspace: written before the command and read after it, on this machine or on a worker. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Look } from './options.js';

export interface Aside {
  /** Texts by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** Additional environment variables of the command. */
  readonly env: Readonly<Record<string, string>>;
  /** The file that is read afterwards. */
  readonly reads: string;
}

/** Stands for the folder of these files, in their texts and in `env`. */
export const asideFolder = '{aside}';
/** Stands for the workspace in what is read: its path is different in each slot and on each machine. */
export const asideWorkspace = '{workspace}';

/** A separate folder in the temporary folder of each run: tests do not look there. */
const folderIn = (tmp: string): string => join(tmp, 'culprit-plan');

/** Returns the text that was read, `undefined` if there is none. */
export function lookAside({ files, env, reads }: Aside): Look<string | undefined> {
  const fill = (text: string, tmp: string) => text.replaceAll(asideFolder, () => folderIn(tmp));
  return {
    placed(_root, tmp) {
      mkdirSync(folderIn(tmp), { recursive: true });
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folderIn(tmp), name), fill(text, tmp));
    },
    built: (_root, tmp) =>
      Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value, tmp)] as const)),
    ran(root, tmp) {
      const path = join(folderIn(tmp), reads);
      return existsSync(path) ? readFileSync(path, 'utf8').replaceAll(root, () => asideWorkspace) : undefined;
    },
  };
}
