/** Puts a program with POSIX threads under a schedule, with a shim that is built with cc. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Schedule } from '../../circumstances/lateness.js';
import { UserError } from '../../core/index.js';
import type { Recording } from './recording.js';
import type { ProcessSetting } from './under-node.js';

const source = fileURLToPath(new URL('./shim/threads.c', import.meta.url));

/** Builds the shim, once per run. It needs a C compiler, which people who debug threads have. */
export function buildShim(folder: string): string {
  const built = resolve(folder, 'threads.so');
  if (existsSync(built)) return built;
  if (process.platform !== 'linux')
    throw new UserError('Schedules of threads need Linux.', 'Schedules of Node programs work everywhere.');
  const fresh = `${built}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    const args = ['-shared', '-fPIC', '-O1', '-w', '-o', fresh, source, '-ldl', '-lm', '-lpthread'];
    execFileSync('cc', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const { code, stderr } = error as NodeJS.ErrnoException & { readonly stderr?: Buffer };
    throw new UserError(
      code === 'ENOENT'
        ? 'Schedules of threads need a C compiler, and there is no cc.'
        : `cc can't build the shim: ${stderr?.toString().trim() || (error as Error).message}`,
      'Install gcc or clang, with the headers of the C library.',
    );
  }
  renameSync(fresh, built);
  return built;
}

/** Writes a schedule as the shim reads it: one entry per line. */
export const environmentForThreads =
  (shim: string) =>
  (
    schedule: Schedule,
    { folder, slow, isRecording }: ProcessSetting,
    env: Readonly<Record<string, string | undefined>> = process.env,
  ): Readonly<Record<string, string>> => {
    const file = join(folder, 'schedule.txt');
    const trace = join(folder, 'trace');
    mkdirSync(trace, { recursive: true });
    const lines =
      schedule.kind === 'seed' ? [`seed ${schedule.seed}`] : schedule.late.map(({ id, n }) => `late ${id} ${n}`);
    writeFileSync(file, `${[`slow ${slow}`, ...lines, ...(isRecording ? [`trace ${trace}`] : [])].join('\n')}\n`);
    return { CULPRIT_THREADS: file, LD_PRELOAD: [shim, env.LD_PRELOAD].filter(Boolean).join(' ') };
  };

/** The shim knows addresses; addr2line turns them into lines, if the program was built with -g. */
export function withLines(recording: Recording, root: string): Recording {
  const addresses = new Map<string, Set<string>>();
  const every = Object.values(recording.events).flatMap(({ place, stack }) => [place, ...stack]);
  for (const place of every) {
    const [, module, offset] = /^(.*)\+(0x[0-9a-f]+)$/.exec(place) ?? [];
    if (module && offset) addresses.set(module, (addresses.get(module) ?? new Set()).add(offset));
  }
  const lines = new Map<string, string>();
  for (const [module, offsets] of addresses)
    for (const [offset, line] of linesIn(module, [...offsets], root)) lines.set(`${module}+${offset}`, line);
  const lineOf = (place: string) => lines.get(place) ?? place;
  const events = Object.fromEntries(
    Object.entries(recording.events).map(([id, event]) => {
      const stack = event.stack.map(lineOf);
      return [
        id,
        { ...event, place: stack.find(isOwn) ? placeOf(stack.find(isOwn)!) : placeOf(lineOf(event.place)), stack },
      ];
    }),
  );
  return { ...recording, events };
}

/** A frame of the program, and not of a library that it is linked to. */
const isOwn = (frame: string): boolean => /:\d+\)?$/.test(frame) && !/\/(usr|lib|lib64)\//.test(frame);
const placeOf = (frame: string): string => /\(([^()]*:\d+)\)$/.exec(frame)?.[1] ?? frame;

function linesIn(module: string, offsets: readonly string[], root: string): readonly (readonly [string, string])[] {
  try {
    const path = module.startsWith('/') ? module : resolve(root, module);
    const text = execFileSync('addr2line', ['-f', '-C', '-e', path, ...offsets], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).split('\n');
    const prefixes = [root, realpathSync(root), process.cwd()].map(folder => `${folder}/`);
    return offsets.flatMap((offset, i) => {
      const [name = '??', at = '??:0'] = text.slice(2 * i, 2 * i + 2);
      if (at.startsWith('??')) return name === '??' ? [] : [[offset, name] as const];
      const clean = at.replace(/ \(discriminator \d+\)$/, '');
      const prefix = prefixes.find(each => clean.startsWith(each));
      return [[offset, `${name} (${prefix ? clean.slice(prefix.length) : clean})`] as const];
    });
  } catch {
    return [];
  }
}
