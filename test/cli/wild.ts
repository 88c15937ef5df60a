import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesOf } from './leftovers-of.js';

/** Tests that behave as badly as tests do. No test library: the bench uses it too. */

/**
 * It fails as it should on the whole input only. On all others it does what its size says: hangs, leaves children, leaves
 * its session, fills its stdout and its disk, exhausts memory, destroys its workspace, kills its own group.
 * How long it sleeps is how what it leaves behind is found.
 */
const command = `#!/bin/sh
if [ "$(grep -c keep "$1")" = "$LINES" ]; then echo "Error: all of them" >&2; exit 3; fi
size=$(wc -c < "$1")
case $((size % 12)) in
0) sleep "$TOKEN" ;;
1) sleep "$TOKEN" & sleep "$TOKEN" & (sleep "$TOKEN" &) ;;
2) setsid sleep "$TOKEN" & ;;
3) env -i /bin/setsid /bin/sleep "$TOKEN" & ;;
4) setsid sh -c 'sleep $TOKEN' >/dev/null 2>&1 </dev/null & ;;
5) head -c "$FLOOD" /dev/zero ;;
6) head -c "$FLOOD" /dev/zero >&2 ;;
7) echo x >> "$OUTSIDE"; head -c "$((FLOOD / 5))" /dev/zero > "$TMPDIR/a"; mkdir -p d/e; chmod 000 d; ln -sf "$OUTSIDE" in.txt ;;
8) head -c 2000000000 /dev/zero | tail -c 1999999999 | head -c 1 ;;
9) rm -rf "$PWD" "$TMPDIR" ;;
10) trap '' TERM HUP INT; i=0; while [ $i -lt 40 ]; do sleep "$TOKEN" & i=$((i + 1)); done; kill -9 0 ;;
11) kill -STOP $$ ;;
esac
exit 0
`;

export interface Wild {
  readonly code: number | null;
  readonly json: Readonly<Record<string, unknown>>;
  readonly stderr: string;
  /** The most memory that culprit itself took, in MB. */
  readonly peak: number;
  readonly seconds: number;
  readonly processes: readonly number[];
  readonly folders: readonly string[];
}

export async function runWild(options: {
  readonly main: string;
  readonly cwd: string;
  readonly tests: number;
  readonly jobs: number;
  /** Bytes that a flood has. */
  readonly flood: number;
  /** Seconds that a test may take, and megabytes. */
  readonly timeout?: number;
  readonly memory?: number;
  readonly more?: readonly string[];
}): Promise<Wild> {
  const { main, cwd, tests, jobs, flood, timeout = 0.5, memory = 256, more = [] } = options;
  mkdirSync(cwd, { recursive: true });
  const token = `31337${process.pid}${Math.round(performance.now())}`;
  const count = Math.ceil(tests / 2);
  writeFileSync(join(cwd, 'in.txt'), Array.from({ length: count }, (_, i) => `keep ${'x'.repeat(i % 17)}\n`).join(''));
  writeFileSync(join(cwd, 't.sh'), command, { mode: 0o755 });
  const budget = ['--max-tests', String(tests), '-j', String(jobs)];
  const limits = ['--timeout', String(timeout), '--memory', String(memory), ...budget, ...more];
  const env = {
    ...process.env,
    CULPRIT_WORKSPACE: '',
    OUTSIDE: join(cwd, 'outside'),
    LINES: String(count),
    FLOOD: String(flood),
    TOKEN: token,
  };
  const began = performance.now();
  const child = spawn(process.execPath, [main, 'reduce', 'in.txt', '--json', ...limits, '--', './t.sh', '{}'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr, peak] = ['', '', 0];
  child.stdout.on('data', data => (stdout += data));
  child.stderr.on('data', data => (stderr += data));
  const timer = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid!));
  }, 50);
  const code = await new Promise<number | null>(resolve => child.on('close', resolve));
  clearInterval(timer);
  const seconds = (performance.now() - began) / 1000;
  for (let i = 0; i < 100 && processesOf(token, 'cmdline').length > 0; i++)
    await new Promise(resolve => setTimeout(resolve, 20));
  const json = stdout === '' ? {} : JSON.parse(stdout);
  return { code, json, stderr, peak, seconds, processes: processesOf(token, 'cmdline'), folders: folders(child.pid!) };
}

/** proc(5): VmHWM is the highest resident size so far; in megabytes. */
export function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

const folders = (pid: number): readonly string[] =>
  ['/dev/shm', tmpdir()].flatMap(folder => readdirSync(folder)).filter(name => name.startsWith(`culprit-${pid}-`));
