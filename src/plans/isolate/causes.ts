/** `isolate --all`: every set of differences that fails by itself, and the failing input without it for every way to avoid the failure. */
import { join } from 'node:path';
import type { Artifact, Entry } from '../../core/artifact.js';
import { all, minus } from '../../core/index.js';
import type { Output } from '../../run/output.js';
import { identify } from '../../sources/files.js';
import { type FirstCauses, openCauses } from '../causes/open.js';
import type { AllCauses } from '../causes/search.js';
import type { Context, Opened } from '../job.js';
import { differencesOf } from './differences.js';
import type { Pair } from './texts.js';

interface AllDifferences {
  readonly pair: Pair;
  /** The name of the input: a file or a folder. */
  readonly input: string;
  readonly output: Output;
  /** Checks both inputs. */
  readonly firstRun: () => Promise<Omit<FirstCauses, 'circumstance'>>;
  /** The command line on an input at this path. */
  readonly shown: (path: string) => string;
  readonly close: () => Promise<void>;
}

export function openAllDifferences(
  { pair, input, output, firstRun, shown, close }: AllDifferences,
  context: Context,
): Opened<Artifact, AllCauses> {
  const circumstance = differencesOf(pair);
  const whole = all(circumstance.count);
  return openCauses(
    {
      title: `${input}: all causes in the difference`,
      output,
      identify,
      firstRun: async () => ({ ...(await firstRun()), circumstance }),
      use: (_, way) => shown(join(output.path, folderOf(way), input)),
      files({ avoid }) {
        const files = new Map<string, Entry>();
        for (const [way, set] of avoid.entries())
          for (const [path, entry] of circumstance.build(minus(whole, set))!.files)
            files.set(`${folderOf(way)}/${path}`, entry);
        return files;
      },
      close,
    },
    context,
  );
}

const folderOf = (way: number) => `avoids-${way + 1}`;
