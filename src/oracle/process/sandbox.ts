/** The command line that starts a program in bubblewrap, and whether that works here. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { UserError } from '../../core/user-error.js';

/**
 * Files in /proc that belong to root and require no capability. Without this, a sandbox run as root could change the
 * kernel's settings, or restart the machine.
 */
const kernel = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus', '/proc/fs', '/proc/acpi', '/proc/scsi'];

let hasUsers: boolean | undefined;

/**
 * A read-only view of the machine, with its own /tmp, /run, /dev and processes, no network, no privileges. A read-only
 * mount does not prevent talking to a service through its socket: so /run is hidden, and sockets and named pipes elsewhere
 * are covered. The program is process 1 there: when it ends, the kernel kills all the others.
 */
export function sandboxed(
  writable: readonly string[],
  program: readonly string[],
  ownUsers = hasUsers ?? true,
): readonly string[] {
  const isolated = ['--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'];
  if (ownUsers) isolated.push('--unshare-user');
  const own = ['--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', '--tmpfs', '/run'];
  // NixOS keeps every program under this link.
  const kept = ['--ro-bind-try', '/run/current-system', '/run/current-system'];
  const locked = kernel.flatMap(path => ['--ro-bind-try', path, path]);
  const covered = doors(writable).flatMap(path => ['--ro-bind', '/dev/null', path]);
  const open = writable.flatMap(folder => ['--bind', folder, folder]);
  const life = ['--die-with-parent', '--new-session', '--as-pid-1', '--cap-drop', 'ALL'];
  return [
    ...['bwrap', '--ro-bind', '/', '/', ...covered, ...own, ...locked, ...kept, ...open],
    ...[...isolated, ...life, '--', ...program],
  ];
}

/** Unix sockets with a listener and named pipes that are open, if a sandbox would still see them. */
function doors(writable: readonly string[]): readonly string[] {
  const isHidden = (path: string): boolean =>
    /^\/(tmp|run|dev|proc|var\/run)\//.test(path) || writable.some(folder => path.startsWith(`${folder}/`));
  const found = new Set([...sockets(), ...pipes()].filter(path => !isHidden(path)));
  return [...found].filter(path => {
    try {
      const stats = statSync(path);
      return stats.isSocket() || stats.isFIFO();
    } catch {
      return false;
    }
  });
}

/** The last column of /proc/net/unix; names that begin with @ are not in the file system. */
const sockets = (): readonly string[] =>
  reading(() => readFileSync('/proc/net/unix', 'utf8').split('\n'), []).flatMap(
    line => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? [],
  );

const pipes = (): readonly string[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      const folder = `/proc/${pid}/fd`;
      return reading(() => readdirSync(folder), [] as string[])
        .map(fd => reading(() => readlinkSync(`${folder}/${fd}`), ''))
        .filter(path => path.startsWith('/') && reading(() => statSync(path).isFIFO(), false));
    });

function reading<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Throws a UserError if commands can't run in a sandbox here. Prints a note if there is no user namespace. */
export function demandSandbox(say: (sentence: string) => void = () => {}): void {
  if (process.platform !== 'linux')
    throw new UserError(
      `--sandbox needs bubblewrap, which exists for Linux only; this is ${process.platform}.`,
      'Run without --sandbox, or inside a container or a virtual machine.',
    );
  const strong = probe(true);
  const { error, status, stderr } = strong.status === 0 ? strong : probe(false);
  hasUsers = strong.status === 0;
  if (error)
    throw new UserError(
      '--sandbox needs bubblewrap, but `bwrap` is not on the PATH.',
      'Install it (Debian, Ubuntu, Fedora, Arch: the package bubblewrap), or run without --sandbox.',
    );
  if (status !== 0)
    throw new UserError(
      `--sandbox needs namespaces, but bubblewrap could not create them: ${stderr.trim() || `it ended with ${status}`}.`,
      existsSync('/.dockerenv')
        ? 'Inside a container, start it with --security-opt seccomp=unconfined, or run without --sandbox.'
        : 'Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, or an AppArmor rule for bwrap), or run without --sandbox.',
    );
  if (!hasUsers)
    say('--sandbox: there is no user namespace here, so tests keep the user that culprit runs as (docs/security.md).');
}

function probe(ownUsers: boolean) {
  const [program = '', ...args] = sandboxed([], ['/bin/sh', '-c', ':'], ownUsers);
  return spawnSync(program, args, { encoding: 'utf8' });
}
