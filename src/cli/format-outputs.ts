/** The files of `--sarif` and other formats: refused before the first test if something else is there, written after the last one. */
import { cannotCombine } from '../core/cannot-combine.js';
import type { JobOptions } from '../plans/job.js';
import { outputFormats } from '../report/output-formats.js';
import { outputFor } from '../run/output.js';
import type { RunFolder } from '../run/run-folder.js';
import { versions } from '../run/versions.js';

export type WriteFormats = (json: Readonly<Record<string, unknown>>, folder: RunFolder) => void;

export function formatOutputs(job: string, options: JobOptions, resumed?: RunFolder): WriteFormats {
  const given = options as Readonly<Record<string, unknown>>;
  const asked = outputFormats.flatMap(format => {
    const path = given[format.name];
    if (typeof path !== 'string' || !format.jobs.includes(job)) return [];
    const clash = format.without.find(name => given[name] === true);
    if (clash !== undefined) throw cannotCombine(`--${clash}`, `--${format.name}`, `Leave --${format.name} out.`);
    const place = { asked: path, otherwise: path, kind: 'file' as const, inputs: [], run: options.run, resumed };
    return [{ format, output: outputFor(place) }];
  });
  return (json, folder) => {
    for (const { format, output } of asked) {
      const bytes = Buffer.from(format.write(json, versions().culprit!));
      output.write({ files: new Map([[format.name, { kind: 'file', bytes }]]) }, folder);
    }
  };
}
