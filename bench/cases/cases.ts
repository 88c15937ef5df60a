/** Folders of real failing inputs, as benchmarks read them: which cases are wanted, and whether a text still fails. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The folder, its cases that have this file, and a reader of the other options. Ends with `usage` if there is no such folder. */
export function casesFrom(argv: readonly string[], file: string, usage: string) {
  const [folder] = argv;
  const option = (name: string, otherwise: string): string => {
    const at = argv.indexOf(`--${name}`);
    return at < 0 ? otherwise : argv[at + 1]!;
  };
  if (!folder || folder.startsWith('--') || !existsSync(folder)) {
    console.error(`Which folder of cases? ${usage}`);
    process.exit(2);
  }
  const all = readdirSync(folder).filter(name => existsSync(join(folder, name, file)));
  const wanted = option('cases', '');
  const cases = wanted ? all.filter(name => wanted.split(',').some(each => name.includes(each))) : all;
  return { folder: resolve(folder), cases, option };
}

/** Whether a text fails under the case's own test. */
export function holds(source: string, file: string, bytes: Uint8Array): boolean {
  const place = mkdtempSync(join(tmpdir(), 'culprit-bench-'));
  writeFileSync(join(place, file), bytes);
  const { status } = spawnSync(join(source, 'test.sh'), [], { cwd: place, stdio: 'ignore' });
  rmSync(place, { recursive: true, force: true });
  return status === 0;
}
