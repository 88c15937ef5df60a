import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { UserError } from '../../core/user-error.js';

/**
 * The command line that starts a program in bubblewrap: the machine read-only, /tmp, /run, /dev and the processes its
 * own, no network, no privileges. /run is hidden because a service can be asked through its socket, which being
 * read-only does not prevent. The program is process 1 there: when it ends, the kernel kills all the others.
 */
export function sandboxed(writable: readonly string[], program: readonly string[]): readonly string[] {
  const isolated = ['--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'];
  const own = ['--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--tmpfs', '/run'];
  // NixOS keeps every program below this link.
  const kept = ['--ro-bind-try', '/run/current-system', '/run/current-system'];
  const open = writable.flatMap(folder => ['--bind', folder, folder]);
  const life = ['--die-with-parent', '--new-session', '--as-pid-1', '--cap-drop', 'ALL'];
  return ['bwrap', '--ro-bind', '/', '/', ...own, ...kept, ...open, ...isolated, ...life, '--', ...program];
}

/** Throws a UserError when commands can't be run in a sandbox here. */
export function demandSandbox(): void {
  if (process.platform !== 'linux')
    throw new UserError(
      `--sandbox needs bubblewrap, which exists for Linux only; this is ${process.platform}.`,
      'Run without --sandbox, or inside a container or a virtual machine.',
    );
  const [program = '', ...args] = sandboxed([], ['/bin/sh', '-c', ':']);
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error)
    throw new UserError(
      '--sandbox needs bubblewrap, and there is no program `bwrap` on the PATH.',
      'Install it (Debian, Ubuntu, Fedora, Arch: the package bubblewrap), or run without --sandbox.',
    );
  if (status !== 0)
    throw new UserError(
      `--sandbox needs namespaces, and bubblewrap was refused them: ${stderr.trim() || `it ended with ${status}`}.`,
      existsSync('/.dockerenv')
        ? 'Inside a container, start it with --security-opt seccomp=unconfined, or run without --sandbox.'
        : 'Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, or an AppArmor rule for bwrap), or run without --sandbox.',
    );
}
