/** The shell command that starts one test. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { quote, quoteAll, quoteProgram } from '../../core/shell.js';
import { builtins } from './quoting.js';
import type { Invocation } from './types.js';

/**
 * What a persistent shell reads for one command. It is a simple command, because dash starts these with vfork, and anything
 * in parentheses with fork. The shell keeps descriptor 3 to itself. In a sandbox the shell is process 1, and `kill -9 -1`
 * reaches all others there in one step; descriptor 2 is closed because the shell complains if there are none.
 */
export function commandLine(invocation: Invocation, extra: readonly string[], isSandboxed: boolean): string {
  const [name = '', ...args] = invocation.argv;
  const own = [programOf(name, invocation.env.PATH), ...args];
  const words = extra.length > 0 ? ['/usr/bin/env', ...extra, ...own] : own;
  const command = `${quoteProgram(words[0]!)} ${quoteAll(words.slice(1))} <${quote(invocation.stdin ?? '/dev/null')} 3>&-`;
  const go = `cd ${quote(invocation.cwd)}&&unset OLDPWD&&`;
  return isSandboxed
    ? `${go}${command};culprit_status=$?;kill -9 -1 2>&-;echo $culprit_status >&3\n`
    : `${go}${command};echo $? >&3\n`;
}

/** The shell would run `test`, `echo` or `exit` itself, so these are passed with their path. */
function programOf(name: string, path: string | undefined): string {
  if (!builtins.has(name)) return name;
  for (const folder of (path ?? '/usr/bin:/bin').split(delimiter)) {
    const file = join(folder || '.', name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {}
  }
  return `/no program called/${name}`;
}

/** "culprit: 57: foo: not found": the 57 counts the commands so far, and would make two equal failures differ. */
export function withoutLineNumber(stderr: Uint8Array, shell: string): Uint8Array {
  const text = Buffer.from(stderr).toString('latin1');
  for (const name of ['culprit', shell]) {
    const found = text.startsWith(`${name}: `) ? /^(?:line )?\d+: [^\n]*\n$/.exec(text.slice(name.length + 2)) : null;
    if (found) return Buffer.from(`sh: ${found[0].replace(/^(?:line )?\d+: /, '')}`, 'latin1');
  }
  return stderr;
}
