/** Control groups, if this process may create them: no process of a test can leave its group, and the kernel limits their number. */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbandoned, uniqueName } from './scratch.js';

export interface Cgroup {
  /** A process that writes its id here is in the group, with everything that it starts. */
  readonly procs: string;
  members(): readonly number[];
  /** How often a process could not be started because there were too many. */
  refused(): number;
}

export interface Cgroups {
  /** The folder that contains all groups. */
  readonly root: string;
  add(name: string): Cgroup;
  close(): void;
}

/** `undefined` if there are no control groups, or if we may not create them: usually without root. */
export function openCgroups(processes: number): Cgroups | undefined {
  const own = process.platform === 'linux' ? ownGroup() : undefined;
  if (own === undefined) return undefined;
  const root = join(own.path, uniqueName());
  try {
    for (const name of readdirSync(own.path)) if (isAbandoned(name)) removeGroups(join(own.path, name));
    mkdirSync(root);
    if (!own.isFirstVersion) for (const folder of [own.path, root]) enable(folder);
    // Creating a group is not enough: it must also be usable.
    const groups = { root, add: (name: string) => add(join(root, name), processes), close: () => removeGroups(root) };
    groups.add('probe').members();
    return groups;
  } catch {
    removeGroups(root);
    return undefined;
  }
}

/** Version 2 refuses this for a group that has processes itself. The group then has no limit, but still lists its members. */
function enable(folder: string): void {
  try {
    writeFileSync(join(folder, 'cgroup.subtree_control'), '+pids');
  } catch {}
}

function add(path: string, processes: number): Cgroup {
  mkdirSync(path, { recursive: true });
  try {
    writeFileSync(join(path, 'pids.max'), String(processes));
  } catch {}
  const procs = join(path, 'cgroup.procs');
  return {
    procs,
    // Reopened each time: version 1 caches the list for a second while the file is open.
    members: () => readFileSync(procs, 'latin1').split('\n').filter(Boolean).map(Number),
    refused() {
      try {
        return Number(/^max (\d+)/m.exec(readFileSync(join(path, 'pids.events'), 'latin1'))?.[1] ?? 0);
      } catch {
        return 0;
      }
    },
  };
}

/** Only folders can be removed there. A group that still has a process stays. */
export function removeGroups(root: string): void {
  try {
    for (const item of readdirSync(root, { withFileTypes: true }))
      if (item.isDirectory()) removeGroups(join(root, item.name));
    rmdirSync(root);
  } catch {}
}

/** The group of this process in the hierarchy that counts processes. */
function ownGroup(): { readonly path: string; readonly isFirstVersion: boolean } | undefined {
  try {
    const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n');
    const first = lines.find(line => line.split(':')[1]!.split(',').includes('pids'));
    const line = first ?? lines.find(each => each.startsWith('0::'));
    const mount = mounts().find(({ type, options }) =>
      first === undefined ? type === 'cgroup2' : type === 'cgroup' && options.includes('pids'),
    );
    if (line === undefined || mount === undefined) return undefined;
    const path = line.split(':').slice(2).join(':');
    // In a container, the mount may show only a part of the hierarchy.
    const inside = path.startsWith(mount.root) ? path.slice(mount.root.replace(/\/$/, '').length) : path;
    return { path: join(mount.at, inside), isFirstVersion: first !== undefined };
  } catch {
    return undefined;
  }
}

/** proc(5), mountinfo: … root at options … - type source options. */
const mounts = () =>
  readFileSync('/proc/self/mountinfo', 'utf8')
    .trim()
    .split('\n')
    .map(line => {
      const [before = '', after = ''] = line.split(' - ');
      const [, , , root = '', at = ''] = before.split(' ');
      const [type = '', , options = ''] = after.split(' ');
      return { root, at, type, options: options.split(',') };
    });
