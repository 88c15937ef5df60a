/** Reads the native stack of a crashing command with gdb. */
import { spawn } from 'node:child_process';
import { isRuntimeFrame } from './native.js';

/**
 * The functions on the native stack when the command dies, innermost first, as gdb prints them. `undefined` if gdb is not
 * installed, the command does not die from a signal, or the time is up. It costs 0.7 s, as much as a thousand tests, so it
 * is used only for the original and for accepted results.
 */
export async function nativeBacktrace(argv: readonly string[], how: Debugging): Promise<string[] | undefined> {
  const output = await gdb(argv, how);
  return output === undefined ? undefined : readBacktrace(output, how.addresses);
}

export interface Debugging {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** In seconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  /** A frame without a name is identified by its address. gdb always loads a program at the same address. */
  readonly addresses?: boolean;
}

// A shell line starts the program as a child, a wrapper replaces itself with it: gdb follows both.
const settings = [
  'set pagination off',
  'set confirm off',
  'set width 0',
  'set follow-fork-mode child',
  'set detach-on-fork on',
  'set print frame-arguments none',
  'set print entry-values no',
  'set debuginfod enabled off',
  'handle SIGPIPE SIGALRM SIGCHLD SIGUSR1 SIGUSR2 nostop noprint pass',
];

function gdb(
  argv: readonly string[],
  { cwd, env, timeout, signal }: Omit<Debugging, 'addresses'>,
): Promise<string | undefined> {
  const commands = [...settings, 'run', 'bt 40'].flatMap(command => ['-ex', command]);
  return new Promise(resolve => {
    // In its own group, so that everything that gdb started is killed with it.
    const child = spawn('gdb', ['-nx', '-q', '-batch', ...commands, '--args', ...argv], {
      cwd,
      // gdb quotes the arguments for this shell.
      env: { ...env, SHELL: '/bin/sh' },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    const end = () => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // Already gone.
      }
    };
    let stopped = false;
    const stop = () => {
      stopped = true;
      end();
    };
    const timer = setTimeout(stop, timeout * 1000);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    child.stdout.on('data', (chunk: Buffer) => {
      // The program's own output comes first and may be endless. The backtrace is at the end.
      chunks.push(chunk);
      size += chunk.length;
      while (size > 4 * 1024 * 1024 && chunks.length > 1) size -= chunks.shift()!.length;
    });
    const settle = (value: string | undefined) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve(value);
    };
    child.on('error', () => settle(undefined));
    child.on('close', () => {
      if (child.pid !== undefined) end();
      settle(stopped ? undefined : Buffer.concat(chunks).toString());
    });
  });
}

/** gdb prints `Program received signal …`, then `#1  0x… in yyparse () at x.y:3`. */
export function readBacktrace(output: string, addresses = false): string[] | undefined {
  const from = output.search(/(?:Program|Thread .*) received signal SIG/);
  if (from < 0) return undefined;
  const names: string[] = [];
  for (const line of output.slice(from).split('\n')) {
    const [, address, symbol] = /^#\d+\s+(?:(0x[\da-f]+) in )?(.+?) \(/.exec(line) ?? [];
    if (symbol === undefined) continue;
    const name = addresses && symbol === '??' && address !== undefined ? placeAt(address) : symbol;
    // With addresses, every frame counts, so that a recursion is visible.
    if (!isRuntimeFrame(name) && (addresses || names.at(-1) !== name)) names.push(name);
    // Everything after it was misread from data.
    if (name === overwritten) break;
  }
  return names;
}

/** A return address that was overwritten with data from the input: it has no other meaning. */
const overwritten = 'an overwritten return address';

/** Where gdb puts programs (with and without fixed addresses) and libraries; elsewhere there is no code. */
function placeAt(address: string): string {
  const short = address.replace(/^0x0+(?=.)/, '0x');
  return /^0x(?:5555[\da-f]{8}|7ff[\da-f]{9}|[4-9a-f][\da-f]{5})$/.test(short) ? short : overwritten;
}
