/**
 * How much faster a whole reduction gets with more workers: recorded runs, replayed on virtual workers.
 *   npm run bench -- scale <run folder>... runs of `culprit reduce` that came to their end
 * Every test takes one unit of time. What was not recorded is unresolved; only questions that are never asked can be that.
 * The limit is what look-ahead could reach if it saw all futures to the end of the run, with the same forecast.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from '../src/core/artifact.js';
import { bytesOf } from '../src/core/artifact.js';
import type { Verdict } from '../src/core/index.js';
import { Counter, memoryOf, OutcomeStats } from '../src/engine/index.js';
import type { Request } from '../src/plans/job.js';
import { reducePasses } from '../src/plans/reduce/passes.js';
import { searchSmaller } from '../src/plans/reduce/search.js';
import { readJournal } from '../src/run/journal.js';
import { identify, readArtifact } from '../src/sources/files.js';

const words = process.argv.slice(2);
const counts = [1, 2, 4, 8, 16, 32, 64, 1000];

/** Ends tests in the order in which they began, all that run at a moment together: one unit of time. */
function virtualTime() {
  let units = 0;
  let waiting: (() => void)[] = [];
  let isDue = false;
  let turns = 0;
  const tick = (): void => {
    // Many turns of the event loop without a new test, so that everything that can begin now has begun, also on a busy machine.
    if (++turns < quietTurns) return void setImmediate(tick);
    isDue = false;
    units++;
    for (const wake of waiting.splice(0)) wake();
  };
  return {
    units: () => units,
    unit: () =>
      new Promise<void>(resolve => {
        waiting = [...waiting, resolve];
        turns = 0;
        if (!isDue) setImmediate(tick);
        isDue = true;
      }),
  };
}
const quietTurns = 500;

async function replay(folder: string, workers: number) {
  const { header, verdicts } = readJournal(join(folder, 'journal.jsonl'));
  const { inputs, options } = header.request as Request;
  const { artifact } = readArtifact(inputs.map(input => join(folder, 'original', input.split('/').at(-1)!)));
  const passes = await reducePasses(artifact, options as never);
  const time = virtualTime();
  const test = async (candidate: Artifact, signal: AbortSignal): Promise<Verdict> => {
    await time.unit();
    signal.throwIfAborted();
    return (verdicts as ReadonlyMap<string, Verdict>).get(identify(candidate)) ?? { outcome: 'unresolved' };
  };
  const counter = new Counter();
  const transcript: string[] = [];
  const questions: boolean[] = [];
  const run = searchSmaller(artifact, passes, test, {
    identify,
    measure: bytesOf,
    workers,
    counter,
    memory: memoryOf(),
    confirm: 0,
  } as never);
  for await (const event of run) {
    if (event.type !== 'answered') continue;
    transcript.push(`${event.step} ${event.outcome} ${event.configuration}`);
    if (!event.known) questions.push(event.outcome === 'fail');
  }
  const { counts, started } = counter;
  return { units: time.units(), counts, started, questions, transcript: transcript.join('\n') };
}

/**
 * Units of time for these answers if every unit tests the likeliest questions of all futures, however far ahead they are. After
 * each question there are two futures; only the one that came true leads to known answers. The forecast learns as culprit's
 * does.
 */
function limit(questions: readonly boolean[], workers: number): number {
  const stats = new OutcomeStats();
  const tested = new Set<number>();
  let units = 0;
  for (let at = 0; at < questions.length; units++) {
    const { fail } = stats.forecast();
    const futures: { readonly chance: number; readonly at: number; readonly isTrue: boolean }[] = [];
    const add = (chance: number, next: number, isTrue: boolean) => {
      let i = futures.length;
      while (i > 0 && futures[i - 1]!.chance < chance) i--;
      futures.splice(i, 0, { chance, at: next, isTrue });
    };
    add(1, at, true);
    const begun: number[] = [];
    for (let used = 0; used < workers && futures.length > 0; ) {
      const future = futures.shift()!;
      if (future.at >= questions.length) continue;
      const isFail = questions[future.at]!;
      if (future.isTrue && tested.has(future.at)) {
        add(future.chance, future.at + 1, true);
        continue;
      }
      used++;
      if (future.isTrue) begun.push(future.at);
      add(future.chance * fail, future.at + 1, future.isTrue && isFail);
      add(future.chance * (1 - fail), future.at + 1, future.isTrue && !isFail);
    }
    for (const each of begun) tested.add(each);
    for (; tested.has(at); at++) stats.learn(undefined, questions[at] ? 'fail' : 'pass');
  }
  return units;
}

for (const folder of words) {
  const rows: string[] = [];
  let alone: Awaited<ReturnType<typeof replay>> | undefined;
  for (const workers of counts) {
    const made = await replay(folder, workers);
    alone ??= made;
    const same = made.transcript === alone.transcript ? '' : ' ANOTHER TRANSCRIPT';
    const perQuestion = (made.started / made.counts.executed).toFixed(2);
    const speedUp = (alone.units / made.units).toFixed(1);
    const most = (alone.units / limit(made.questions, workers)).toFixed(1);
    rows.push(
      `W=${workers}: ${speedUp} × (limit ${most} ×, ${perQuestion} tests per question, ${made.units} units)${same}`,
    );
  }
  const name = JSON.parse(readFileSync(join(folder, 'journal.jsonl'), 'utf8').split('\n')[0]!).argv.join(' ');
  console.log(`${name.slice(0, 70)}: ${alone!.counts.executed} questions\n  ${rows.join('\n  ')}`);
}
