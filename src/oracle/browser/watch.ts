/** Makes sure that the browser ends when culprit does, however it ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A shell that outlives this process by a moment. It waits for its stdin to close, which the kernel does however this process
 * ends, kill -9 included. A browser that ends writes until its last moment, so its folder is removed until it stays removed.
 */
const script = `
trap '' HUP INT QUIT TERM
while read -r line; do :; done
tries=0
while [ -e "$folder" ] && [ $tries -lt 200 ]; do
  for file in $(printf %s "--user-data-dir=$folder/" | grep -alF -f - /proc/[0-9]*/cmdline); do
    pid=\${file#/proc/}
    kill -9 "\${pid%/cmdline}"
  done
  rm -rf "$folder" && sleep 0.2
  tries=$((tries + 1)); sleep 0.05
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
