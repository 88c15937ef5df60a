/** `isolate --all`: every set of differences that fails by itself, and the failing input without it for every way to avoid the failure. */
import { join } from 'node:path';
import type { Artifact, Entry } from '../../core/artifact.js';
import { all, type Circumstance, minus } from '../../core/index.js';
import type { Output } from '../../run/output.js';
import { closeArchives } from '../../sources/archives/index.js';
import { identify } from '../../sources/files.js';
import { openCauses } from '../causes/open.js';
import type { AllCauses } from '../causes/search.js';
import type { Context, Expected, Look, Opened } from '../job.js';
import { differencesOf } from './differences.js';
import type { Pair } from './texts.js';

/** `pair`: what is compared. */
export type FirstOfPair = Pick<Expected<Artifact>, 'rule' | 'signature' | 'command' | 'test' | 'kept'> & {
  readonly look: Look<Artifact>;
  readonly pair: Pair;
};

interface AllDifferences {
  /** The name of the input: a file or a folder. */
  readonly input: string;
  readonly output: Output;
  /** Checks both inputs. */
  readonly firstRun: () => Promise<FirstOfPair>;
  /** The command line on an input at this path. */
  readonly shown: (path: string) => string;
  readonly close: () => Promise<void>;
}

export function openAllDifferences(
  { input, output, firstRun, shown, close }: AllDifferences,
  context: Context,
): Opened<Artifact, AllCauses> {
  let circumstance: Circumstance<Artifact>;
  return openCauses(
    {
      title: `${input}: all causes in the difference`,
      output,
      identify,
      async firstRun() {
        const { pair, ...first } = await firstRun();
        circumstance = differencesOf(pair);
        return { ...first, circumstance };
      },
      use: (_, way) => shown(join(output.path, folderOf(way), input)),
      files({ avoid }) {
        const files = new Map<string, Entry>();
        for (const [way, set] of avoid.entries())
          for (const [path, entry] of closeArchives(circumstance.build(minus(all(circumstance.count), set))!).files)
            files.set(`${folderOf(way)}/${path}`, entry);
        return files;
      },
      close,
    },
    context,
  );
}

const folderOf = (way: number) => `avoids-${way + 1}`;
