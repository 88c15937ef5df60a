/** The runtimes that report which lines they run. To add one, add a file and a line here. */
import type { Artifact, Entry } from '../../../core/artifact.js';
import type { Environment } from '../programs.js';
import { node } from './node.js';
import { perl } from './perl.js';
import { python } from './python.js';
import { ruby } from './ruby.js';
import type { Runtime } from './runtime.js';

export const runtimes: readonly Runtime[] = [node, python, ruby, perl];

/** The runtimes that may load a file of a version: agents of the others are left out. */
export const runtimesFor = (files: Artifact['files']): readonly Runtime[] =>
  runtimes.filter(runtime => runtime.isPassive || [...files].some(([path, entry]) => mayLoad(runtime, path, entry)));

const mayLoad = ({ files, interpreter }: Runtime, path: string, entry: Entry): boolean =>
  entry.kind === 'file' && (files.test(path) || interpreter.test(firstLineOf(entry.bytes)));

function firstLineOf(bytes: Uint8Array): string {
  const isScript = bytes[0] === 0x23 && bytes[1] === 0x21;
  return isScript ? Buffer.from(bytes.subarray(0, longestFirstLine)).toString('latin1').split('\n', 1)[0]! : '';
}

const longestFirstLine = 200;

/** The variables of several runtimes: what one adds to PATH is there for the next one. */
export function environmentOf(
  some: readonly Runtime[],
  folder: string,
  around: Environment,
): Readonly<Record<string, string>> {
  let added: Readonly<Record<string, string>> = {};
  for (const runtime of some) added = { ...added, ...runtime.environment(folder, { ...around, ...added }) };
  return added;
}
