/** How a program of each language is started so that it can be watched. The agent inside the program does the rest. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { UserError } from '../../core/index.js';
import { isShellLine } from '../../core/shell.js';
import { gdb } from './gdb/index.js';
import { node } from './node/index.js';
import { python } from './python/index.js';

export interface Debuggee {
  readonly name: DebuggeeName;
  /** How many statements a traced run may execute. */
  readonly steps: number;
  /** What is not seen or cannot be changed, as a sentence; and what may be missing if nothing is seen. */
  readonly limits: string;
  readonly needs: string;
  /** Additional environment variables for the command. `folder` has the request, and will get the reply. */
  environment(folder: string): Readonly<Record<string, string>>;
  /** The command to run instead, if the environment is not enough. */
  command?(argv: readonly string[]): readonly string[];
}

export type DebuggeeName = 'node' | 'python' | 'gdb';

const all: Readonly<Record<DebuggeeName, Debuggee>> = { node, python, gdb };

/** The one that was requested, or the one that the command's first word indicates. */
export function debuggeeFor(argv: readonly string[], asked?: string): Debuggee {
  if (asked !== undefined) {
    const found = all[asked as DebuggeeName];
    if (found && Object.hasOwn(all, asked)) return checked(found, argv);
    throw new UserError(
      `--with ${asked} is not a debugger that culprit knows.`,
      `Use one of: ${Object.keys(all).join(', ')}.`,
    );
  }
  const isLine = isShellLine(argv);
  const words = isLine ? argv[0]!.split(/[\s;|&()'"]+/) : argv;
  const names = words.map(word => basename(word));
  if (names.some(name => /^(node|nodejs|npm|npx|tsx|vitest|jest|mocha)$/.test(name))) return node;
  if (names.some(name => /^(python|pypy)[\d.]*$|^(pytest|py\.test)$/.test(name))) return python;
  const kind = isLine ? undefined : kindOf(argv[0]!);
  if (kind) return checked(all[kind], argv);
  throw new UserError(
    `culprit can't tell in which language ${argv[0]} is written.`,
    `Say so with --with ${Object.keys(all).join('|')}. Programs of other languages can't be watched.`,
  );
}

function checked(debuggee: Debuggee, argv: readonly string[]): Debuggee {
  if (debuggee.command && isShellLine(argv))
    throw new UserError(
      'gdb needs a program and its arguments, not a shell line.',
      'Pass the command as separate words.',
    );
  if (debuggee === gdb && !pathOf('gdb'))
    throw new UserError(
      'C programs are watched with gdb, which is not installed.',
      'Install gdb, for instance: apt install gdb.',
    );
  return debuggee;
}

const pathOf = (program: string): string | undefined =>
  (program.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter))
    .map(folder => join(folder, program))
    .find(each => existsSync(each));

/** The beginning of a file says what runs it. */
function kindOf(program: string): DebuggeeName | undefined {
  const path = pathOf(program);
  if (path === undefined) return undefined;
  const head = Buffer.alloc(128);
  const file = openSync(path, 'r');
  readSync(file, head, 0, head.length, 0);
  closeSync(file);
  if (head.subarray(0, 4).toString('latin1') === '\x7fELF') return 'gdb';
  const [first = ''] = head.toString('latin1').split('\n');
  if (!first.startsWith('#!')) return undefined;
  return /\bnode\b/.test(first) ? 'node' : /\bpython/.test(first) ? 'python' : undefined;
}
