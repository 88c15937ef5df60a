/** Runs of every command that get SIGINT or SIGTERM and are resumed. No test library: the bench uses it too. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argsFor } from './every-command.js';
import {
  type Finished,
  finishedIn,
  leg,
  linesIn,
  type Moment,
  prepare,
  type Stage,
  testsIn,
  uninterrupted,
} from './killed-every.js';
import { foldersOf, processesOf, until } from './leftovers-of.js';

export interface Signalled {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
  /** From the signal to the end of the process; 0 if it had ended before. */
  readonly milliseconds: number;
  /** The same in CPU time: what it would take on a core that has nothing else to do, apart from what it waits for. */
  readonly cpu: number;
  readonly processes: readonly number[];
  readonly folders: readonly string[];
}

/** One process of a run, ended by a signal, and what it left behind. Its tests take a moment, so that the signal falls into one. */
export async function signalledAt(
  stage: Stage,
  args: readonly string[],
  stop: Moment & { readonly signal: NodeJS.Signals },
): Promise<Signalled> {
  const mark = `culprit-signalled-${process.pid}-${Math.round(performance.now() * 1000)}`;
  writeFileSync(join(stage.cwd, 'nap'), '');
  const { pid, ...ended } = await leg(stage, args, { mark, stop });
  await until(() => processesOf(mark).length === 0 && foldersOf(pid).length === 0);
  return { ...ended, processes: processesOf(mark), folders: foldersOf(pid) };
}

/** How far a run is: tests that it began, or what its journal holds if its tests can't be counted. */
const progressIn = ({ cwd, command }: Stage): number => (command.isSilent ? linesIn(cwd) : testsIn(cwd));

/** Interrupts one run at several moments, given by how far it is. Each time it is resumed. */
export async function interruptedAt(
  stage: Stage,
  moments: readonly number[],
  signals: readonly NodeJS.Signals[],
): Promise<readonly Signalled[]> {
  prepare(stage);
  const legs: Signalled[] = [];
  for (const [i, moment] of moments.entries()) {
    const args = existsSync(join(stage.cwd, 'r')) ? ['resume', 'r'] : argsFor(stage.command, stage.cwd, ['-j', '1']);
    // A test that was interrupted is begun again.
    const isReached = () => progressIn(stage) >= moment + (stage.command.isSilent ? 0 : i);
    legs.push(await signalledAt(stage, args, { signal: signals[i % signals.length]!, isReached }));
    if (legs.at(-1)!.code === 0) break;
  }
  return legs;
}

/** The same, in the first test, half-way, and in the last test, which confirms the result; then the run goes on to its end. */
export async function interruptedThrice(
  stage: Stage,
  signals: readonly NodeJS.Signals[],
): Promise<{ whole: Finished; finished: Finished; legs: readonly Signalled[] }> {
  const whole = await uninterrupted(stage);
  const length = progressIn(stage);
  const legs = await interruptedAt(stage, [1, Math.ceil(length / 2), length], signals);
  if (legs.at(-1)!.code !== 0) await leg(stage, ['resume', 'r'], { mark: 'none' });
  return { whole, finished: finishedIn(stage), legs };
}
