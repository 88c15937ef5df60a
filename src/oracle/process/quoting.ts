/** What a persistent shell does by itself: builtins, its own variables, and the change from one environment to another. */
import { quote } from '../../core/shell.js';

/** What a shell (dash, bash, busybox) runs itself instead of starting the program of that name. */
export const builtins: ReadonlySet<string> = new Set(
  `. : [ alias bg bind break builtin caller cd chdir command compgen complete compopt continue declare dirs disown echo
   enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd
   pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask
   unalias unset wait [[ jobs bg let`.split(/\s+/),
);

/** Variables that a shell keeps for itself: it changes, refuses or forgets them. */
const shellsOwn = new Set(
  'IFS OPTIND OPTARG PPID LINENO UID EUID GROUPS SHELLOPTS BASHOPTS BASH_VERSINFO BASH_ENV RANDOM SECONDS'.split(' '),
);

/** The shell sets it to its working directory. */
const places = new Set(['PWD', 'OLDPWD']);

/** A shell can pass this variable on by itself. Others need `env`, which starts one more program. */
export const isExportable = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !shellsOwn.has(name);

export interface Environment {
  /** Variables that a persistent shell holds and its children inherit. */
  readonly held: ReadonlyMap<string, string>;
  /** `NAME=value` for `env`. */
  readonly extra: readonly string[];
}

export function environmentOf(env: Readonly<Record<string, string>>): Environment {
  const held = new Map<string, string>();
  const extra: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (places.has(name) || name === '') continue;
    if (isExportable(name)) held.set(name, value);
    else extra.push(`${name}=${value}`);
  }
  return { held, extra };
}

/** The shell commands that change one environment into another; empty if they are the same. */
export function transition(from: ReadonlyMap<string, string>, to: ReadonlyMap<string, string>): string {
  let commands = '';
  for (const name of from.keys()) if (!to.has(name)) commands += `unset ${name};`;
  for (const [name, value] of to) if (from.get(name) !== value) commands += `export ${name}=${quote(value)};`;
  return commands;
}
