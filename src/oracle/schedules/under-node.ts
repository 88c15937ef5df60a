/** Puts a Node program under a schedule, with a preloaded module. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Schedule } from '../../circumstances/lateness.js';

const preload = fileURLToPath(new URL('./preload/index.cjs', import.meta.url));

/** What every run of a job has in common. */
export interface Setting {
  /** How long an event may be held back, in ms of the schedule's clock. */
  readonly slow: number;
  /** The wall clock at the start of each run. */
  readonly epoch: number;
}

export interface ProcessSetting extends Setting {
  /** The folder to which paths are relative. */
  readonly root: string;
  /** A folder for messages between culprit and the program. */
  readonly folder: string;
  readonly isRecording: boolean;
}

/** Writes a schedule for the processes that will follow it, and returns their environment variables. */
export function environmentForNode(
  schedule: Schedule,
  { folder, root, slow, epoch, isRecording }: ProcessSetting,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Readonly<Record<string, string>> {
  const file = join(folder, 'schedule.json');
  const trace = join(folder, 'trace');
  mkdirSync(trace, { recursive: true });
  const chosen = schedule.kind === 'seed' ? { seed: schedule.seed } : { late: byProcess(schedule) };
  writeFileSync(file, JSON.stringify({ ...chosen, slow, epoch, root, ...(isRecording ? { trace } : {}) }));
  return {
    CULPRIT_SCHEDULE: file,
    NODE_OPTIONS: [env.NODE_OPTIONS, `--require ${optionWord(preload)}`].filter(Boolean).join(' '),
    // One thread: files change in the order of the requests.
    UV_THREADPOOL_SIZE: '1',
  };
}

function byProcess({ late }: Extract<Schedule, { kind: 'late' }>): Record<string, Record<string, number>> {
  const processes: Record<string, Record<string, number>> = {};
  for (const { process, id, n } of late) (processes[process] ??= {})[id] = n;
  return processes;
}

/** NODE_OPTIONS is split at blanks, so a word that contains one is quoted. */
const optionWord = (word: string): string =>
  /[\s"\\]/.test(word) ? `"${word.replace(/["\\]/g, sign => `\\${sign}`)}"` : word;
