/** Where `--sarif` goes: refused before the first test if something else is there, written after the last one. */
import type { JobOptions } from '../plans/job.js';
import { type BlamedLines, toSarif } from '../report/sarif.js';
import { outputFor } from '../run/output.js';
import type { RunFolder } from '../run/run-folder.js';
import { versions } from '../run/versions.js';

export type WriteSarif = (json: Readonly<Record<string, unknown>>, folder: RunFolder) => void;

export function sarifOutput({ sarif, run }: JobOptions, resumed?: RunFolder): WriteSarif | undefined {
  if (sarif === undefined) return undefined;
  const output = outputFor({ asked: sarif, otherwise: sarif, kind: 'file', inputs: [], run, resumed });
  return (json, folder) => {
    const culprits = (json.culprits ?? []) as readonly BlamedLines[];
    const causes = typeof json.causes === 'number' ? json.causes : 1;
    const text = toSarif(culprits, { version: versions().culprit!, failure: String(json.signature ?? ''), causes });
    output.write({ files: new Map([['sarif', { kind: 'file', bytes: Buffer.from(text) }]]) }, folder);
  };
}
