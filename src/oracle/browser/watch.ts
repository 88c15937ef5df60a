/** Makes sure that the browser ends when culprit does, however it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A shell that outlives this process by a moment. It waits for its stdin to close, which the kernel does however this process
 * ends, kill -9 included. A browser that ends writes until its last moment, so its folder is removed until it stays removed.
 *
 * What a browser's start script runs (Debian's has several programs) does not name the folder on its command line, but has it in its
 * environment; Chromium's own processes may overwrite theirs, and name it. A process that is just being executed has neither for a
 * moment, so the shell looks until two looks have found none.
 */
const script = `
trap '' HUP INT QUIT TERM
while read -r line; do :; done
[ -e "$folder" ] || exit 0
tries=0 calm=0
while [ $calm -lt 2 ] && [ $tries -lt 200 ]; do
  calm=$((calm + 1))
  for file in $(printf '%s\\n' "--user-data-dir=$folder/" "TMPDIR=$folder/" |
    grep -alF -f - /proc/[0-9]*/cmdline /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -9 "\${pid%/*}" && calm=0
  done
  [ ! -e "$folder" ] || calm=0
  rm -rf "$folder"
  tries=$((tries + 1)); sleep 0.1
done
`;

/** Removes a browser's folder, and what is left of the browser, however this process ends. Returns how to end the watch. */
export function watchBrowser(folder: string): () => Promise<void> {
  if (process.platform === 'win32') return async () => {};
  const shell = spawn('/bin/sh', ['-c', script, 'culprit-browser-watch'], {
    cwd: '/',
    detached: true,
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', folder },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(shell, 'close').catch(() => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  (shell.stdin as unknown as { unref(): void }).unref();
  return async () => {
    shell.ref();
    shell.stdin.end();
    await ended;
  };
}
