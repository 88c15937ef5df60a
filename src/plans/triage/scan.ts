/** Runs every file once. */
import type { Artifact } from '../../core/artifact.js';
import type { Circumstance, Test } from '../../core/index.js';
import { type Ended, type Event, type ExploreOptions, explore, type Memory } from '../../engine/index.js';
import { type InputFile, readAgain } from '../../sources/input-files.js';
import { each } from '../../strategies/index.js';
import type { TestedFile } from './model.js';

export interface Scanned {
  readonly ended: Ended;
  /** The files that were tested, in their order. */
  readonly files: readonly TestedFile[];
}

export async function* scan(
  files: readonly InputFile[],
  test: Test<Artifact>,
  { accepted: _, beyond: __, ...settings }: ExploreOptions<Artifact>,
): AsyncGenerator<Event, Scanned> {
  if (files.length === 0) return { ended: 'done', files: [] };
  const { memory } = settings;
  const circumstance: Circumstance<InputFile> = {
    name: 'file',
    count: files.length,
    build: ([from = 0, to]) => (to === from + 1 ? files[from] : undefined),
    describe: delta => files[delta]!.path,
  };
  const testFile: Test<InputFile> = async (file, signal) => {
    const artifact = readAgain(file);
    if (!artifact) return { outcome: 'unresolved', reason: 'changed or removed since the run began' };
    return test(artifact, signal);
  };
  yield { type: 'pass', pass: 'every file', round: 1, deltas: files.length, strategy: 'each' };
  const { ended } = yield* explore(each(), circumstance, testFile, {
    ...settings,
    identify: ({ identity }) => identity,
    measure: ({ bytes }) => bytes,
  });
  return { ended, files: files.flatMap(file => testedFile(file, memory)) };
}

function testedFile(file: InputFile, memory: Memory | undefined): readonly TestedFile[] {
  const verdict = memory?.recall(file.identity);
  if (!verdict) return [];
  const { outcome, signature, excerpt, reason, seconds } = verdict;
  return [
    {
      ...file,
      outcome,
      ...(signature === undefined ? {} : { signature }),
      ...(excerpt === undefined ? {} : { text: excerpt }),
      ...(reason === undefined ? {} : { reason }),
      ...(seconds === undefined ? {} : { seconds }),
    },
  ];
}
