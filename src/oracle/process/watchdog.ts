import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A shell that outlives this process by a moment. It waits for its stdin to close, which the kernel does however this
 * process ends, kill -9 included; then it kills the groups it was told of, every process started with the mark in its
 * environment, and removes the folders. The folders' permissions are mended first: a test may have taken them away.
 */
const script = `
trap '' HUP INT QUIT TERM
mark=$1; shift; groups=
while read -r line; do groups=$line; done
for group in $groups; do kill -9 "-$group"; done
tries=0
while [ $tries -lt 40 ]; do
  found=
  for environ in $(grep -alF "$mark" /proc/[0-9]*/environ); do
    pid=\${environ#/proc/}
    kill -9 "\${pid%/environ}" && found=yes
  done
  [ "$found" ] || break
  tries=$((tries + 1)); sleep 0.05
done
[ $# -eq 0 ] && exit
chmod -R u+rwX "$@"
rm -rf "$@"
`;

export interface Watchdog {
  /** The process groups that must not survive this process. */
  watch(groups: readonly number[]): void;
  close(): Promise<void>;
}

export function openWatchdog(mark: string, folders: readonly string[]): Watchdog {
  const shell = spawn('/bin/sh', ['-c', script, 'culprit-watchdog', mark, ...folders], {
    cwd: '/',
    detached: true,
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(shell, 'close').catch(() => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  (shell.stdin as unknown as { unref(): void }).unref();
  return {
    watch: groups => void shell.stdin.write(`${groups.join(' ')}\n`),
    async close() {
      shell.ref();
      shell.stdin.end();
      await ended;
    },
  };
}
