/** Ends all tests when culprit ends, however it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A shell that outlives this process by a moment. It waits for its stdin to close, which the kernel does however this
 * process ends, kill -9 included. Then it kills the process groups that it knows with everything below them, the members of
 * the control groups, and every process with the mark in its environment. It removes the folders, and restores their
 * permissions first: a test may have taken them away.
 */
const script = `
trap '' HUP INT QUIT TERM
mark=$1; cgroup=$2; shift 2; groups=
while read -r line; do groups=$line; done
below() { for child in $(cat "/proc/$1/task/$1/children"); do echo "$child"; below "$child"; done; }
for group in $groups; do
  kill -STOP "-$group"; last=
  while found=$(below "$group"); [ "$found" != "$last" ]; do kill -STOP $found; last=$found; done
  kill -9 $found; kill -9 "-$group"
done
[ "$cgroup" ] && kill -9 $(cat "$cgroup"/*/cgroup.procs)
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
[ "$cgroup" ] && { rmdir "$cgroup"/*/ "$cgroup" || { sleep 0.1; rmdir "$cgroup"/*/ "$cgroup"; }; }
[ $# -eq 0 ] && exit
chmod -R u+rwX "$@"
rm -rf "$@" || { sleep 0.2; rm -rf "$@"; }
`;

export interface Watchdog {
  /** The process groups that must not survive this process. */
  watch(groups: readonly number[]): void;
  close(): Promise<void>;
}

export interface Watched {
  readonly mark: string;
  readonly folders: readonly string[];
  /** The folder of the control groups, if they are used. */
  readonly cgroup?: string | undefined;
}

export function openWatchdog({ mark, folders, cgroup = '' }: Watched): Watchdog {
  const shell = spawn('/bin/sh', ['-c', script, 'culprit-watchdog', mark, cgroup, ...folders], {
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
