/** Reads the recording of an `actions` run, and writes what is left of it. */
import { basename, dirname, extname, join, resolve } from 'node:path';
import { actionsOf } from '../../circumstances/actions.js';
import type { Artifact } from '../../core/artifact.js';
import { UserError } from '../../core/index.js';
import { type Output, outputFor } from '../../run/output.js';
import type { RunFolder } from '../../run/run-folder.js';
import { readNamed } from '../../sources/read-named.js';
import { readPlaywrightTest } from '../../sources/recording/playwright-source.js';
import { joinPresses, splitClicks } from '../../sources/recording/presses.js';
import { type Recording, readRecording, relocate } from '../../sources/recording/recording.js';
import { textFiles } from '../invocation.js';
import type { JobOptions } from '../job.js';

/** The recording of a run: where it comes from, and where the result is written. */
export interface RecordingFiles {
  /** The name without its extension. */
  readonly stem: string;
  /** The folder that addresses without a scheme are relative to. */
  readonly home: string;
  /** With presses and releases as separate actions. */
  readonly original: Recording;
  readonly bytes: number;
  readonly output: string;
  readonly outputs: readonly Output[];
  readonly script: string;
  /** As a standalone file: it does not depend on the folder it is in. */
  artifact(recording: Recording): Artifact;
  /** Bytes of the resulting file. */
  measure(recording: Recording): number;
  keepOriginal(folder: RunFolder): void;
  /** Puts a recording, and the same recording as a script, into `best/` and at the result's path. */
  write(recording: Recording, script: string, folder: RunFolder): void;
}

/** A resumed run has stored its original. */
export async function recordingFiles(
  path: string,
  options: Pick<JobOptions, 'output' | 'run' | 'force'>,
  resumed: RunFolder | undefined,
): Promise<RecordingFiles> {
  const stem = basename(path, extname(path)).replace(/\.(spec|test)$/, '');
  const name = `${stem}.json`;
  const kept = resumed?.keptOriginal();
  const text = kept ? textIn(kept, name) : await readSource(path);
  const original = splitClicks(readRecording(text, path));
  if (actionsOf(original).count === 0)
    throw new UserError(
      `Nothing to reduce: ${path} opens a page but has no actions.`,
      'Record your actions until it fails: culprit record <url>',
    );
  const home = dirname(resolve(path));
  const [result, script] = placesFor(path, stem, options.output).map(place =>
    outputFor({
      asked: options.output === undefined ? undefined : place,
      otherwise: place,
      kind: 'file',
      inputs: [path],
      run: options.run,
      force: options.force,
      resumed,
    }),
  ) as [Output, Output];
  const written = (recording: Recording, to?: string): string =>
    `${JSON.stringify(relocate(joinPresses(recording), home, to), null, 2)}\n`;
  const beside = (recording: Recording) => written(recording, dirname(result.path));
  return {
    stem,
    home,
    original,
    bytes: Buffer.byteLength(text),
    output: result.path,
    outputs: [result, script],
    script: script.path,
    artifact: recording => textFiles({ [name]: written(recording) }),
    measure: recording => Buffer.byteLength(beside(recording)),
    keepOriginal: folder => folder.keepOriginal(textFiles({ [name]: text })),
    write(recording, asScript, folder) {
      folder.keepBest(textFiles({ [name]: written(recording), [`${stem}.spec.js`]: asScript }));
      result.write(textFiles({ [name]: beside(recording) }), folder);
      script.write(textFiles({ [`${stem}.spec.js`]: asScript }), folder);
    },
  };
}

/** The text of a recording. A Playwright test becomes a recording when it is read. */
async function readSource(path: string): Promise<string> {
  let text: string;
  try {
    text = readNamed(path).toString();
  } catch (error) {
    throw new UserError(
      `The recording ${path} can't be read: ${(error as Error).message}.`,
      'Export one from Chrome (DevTools, Recorder, Export as JSON), or make one: culprit record <url>',
    );
  }
  if (!/\.[cm]?[jt]sx?$/.test(path)) return text;
  return `${JSON.stringify(await readPlaywrightTest(text, path, dirname(resolve(path))), null, 2)}\n`;
}

function textIn({ files }: Artifact, name: string): string {
  const entry = files.get(name);
  return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString('utf8') : '';
}

/** `<name>.reduced.json` next to the original, or at --output; the script goes next to it under the same name. */
function placesFor(path: string, stem: string, asked: string | undefined): readonly [string, string] {
  const ending = /(\.(spec|test))?\.[cm]?js$/;
  const recording = asked?.replace(ending, '.json') ?? join(dirname(path), `${stem}.reduced.json`);
  const isScript = asked !== undefined && ending.test(asked);
  return [recording, isScript ? asked : `${recording.replace(/\.json$/, '')}.spec.js`];
}
