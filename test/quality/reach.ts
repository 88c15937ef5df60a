import { type Artifact, bytesOf } from '../../src/core/artifact.js';
import { Counter, type Event } from '../../src/engine/index.js';
import { type ReduceOptions, reducePasses } from '../../src/plans/reduce/passes.js';
import { simplify } from '../../src/plans/simplify.js';
import { identify, identifyIgnoringWhitespace } from '../../src/sources/files.js';
import type { Fails } from './needs.js';

export interface Reached {
  readonly text: string;
  readonly bytes: number;
  /** Tests that one worker has to run. */
  readonly tests: number;
  /** The names of the passes in which something failed, so that a smaller text came out. */
  readonly fruitful: ReadonlySet<string>;
  /** Every text that was taken on the way. */
  readonly accepted: readonly string[];
}

const artifactOf = (file: string, text: string): Artifact => ({
  files: new Map([[file, { kind: 'file', bytes: Buffer.from(text) }]]),
});

export function textOf({ files }: Artifact): string {
  const [entry] = files.values();
  return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString('utf8') : '';
}

/** One file through the plan that `culprit reduce` follows, with a test that needs no process. */
export async function reach(file: string, text: string, fails: Fails, options: ReduceOptions = {}): Promise<Reached> {
  const original = artifactOf(file, text);
  if (!fails(text)) throw new Error(`The sample ${file} does not fail to begin with.`);
  const counter = new Counter();
  const fruitful = new Set<string>();
  const accepted: string[] = [];
  let pass = '';
  const see = (event: Event) => {
    if (event.type === 'pass') pass = event.pass;
  };
  const steps = simplify(
    original,
    await reducePasses(original, options),
    async artifact => ({ outcome: fails(textOf(artifact)) ? 'fail' : 'pass' }),
    {
      identify,
      identifyIgnoringWhitespace: identifyIgnoringWhitespace,
      measure: bytesOf,
      counter,
      accepted(artifact) {
        fruitful.add(pass);
        accepted.push(textOf(artifact));
      },
    },
  );
  for (;;) {
    const step = await steps.next();
    if (!step.done) {
      see(step.value);
      continue;
    }
    const reached = textOf(step.value.artifact);
    if (step.value.ended !== 'done' || !fails(reached))
      throw new Error(`The run on ${file} did not end with a failure.`);
    return { text: reached, bytes: Buffer.byteLength(reached), tests: counter.spent, fruitful, accepted };
  }
}
