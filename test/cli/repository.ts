import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Commit {
  readonly message: string;
  /** Numbers of earlier commits; the first one is followed. */
  readonly parents: readonly number[];
  readonly files: Readonly<Record<string, string>>;
}

/** A repository with these commits, each with all of its files (what starts with `#!` can be executed); the last one is checked out as `main`. Their ids come back. */
export function repositoryWith(folder: string, commits: readonly Commit[]): readonly string[] {
  mkdirSync(folder, { recursive: true });
  git(folder, ['init', '--quiet', '--initial-branch=main']);
  const script = commits
    .map(({ message, parents, files }, i) => {
      const lines = [
        `commit refs/heads/main`,
        `mark :${i + 1}`,
        `committer A Tester <tester@example.org> ${1_700_000_000 + i * 60} +0000`,
      ];
      lines.push(data(message));
      for (const [k, parent] of parents.entries()) lines.push(`${k === 0 ? 'from' : 'merge'} :${parent + 1}`);
      lines.push('deleteall');
      for (const [path, text] of Object.entries(files))
        lines.push(`M ${text.startsWith('#!') ? 100755 : 100644} inline ${path}`, data(text));
      return lines.join('\n');
    })
    .join('\n');
  const marks = join(folder, '.git', 'marks');
  git(folder, ['fast-import', '--quiet', `--export-marks=${marks}`, '--force'], `${script}\n`);
  git(folder, ['checkout', '--quiet', '--force', 'main']);
  return readFileSync(marks, 'utf8')
    .trim()
    .split('\n')
    .map(line => line.slice(1).split(' ') as [string, string])
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([, id]) => id);
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}`;

export function git(cwd: string, args: readonly string[], input?: string): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const run = spawnSync('git', args, { cwd, input, encoding: 'utf8', env, maxBuffer: 2 ** 28 });
  if (run.status !== 0) throw new Error(`git ${args.join(' ')}: ${run.stderr}`);
  return run.stdout;
}
