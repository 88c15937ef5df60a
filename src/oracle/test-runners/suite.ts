/** Runs a chosen list of tests in a private copy of the folder, and reads how each of them ended. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Arrangement, TestName } from '../../circumstances/tests.js';
import type { Entry } from '../../core/artifact.js';
import { asideFolder, asideWorkspace } from '../command/aside.js';
import type { Attempt } from '../command/attempt.js';
import { CommandOracle } from '../command/command.js';
import type { OracleOptions } from '../command/options.js';
import type { Run } from '../process/index.js';
import type { Chosen } from './index.js';
import type { Changes, Plan, TestResult } from './types.js';

export interface SuiteRun {
  readonly results: readonly TestResult[];
  /** What tests changed, in order, if that was watched. */
  readonly changed: readonly Changes[];
  readonly run: Run;
  /** The files in the order in which they were loaded, if the runner reports it. */
  readonly order?: readonly string[];
}

export interface SuiteOptions
  extends Pick<OracleOptions, 'jobs' | 'memory' | 'processes' | 'sandbox' | 'farm' | 'outputs' | 'beside'> {
  readonly chosen: Chosen;
  readonly home: string;
  readonly files: ReadonlyMap<string, Entry>;
}

export interface Asked {
  /** Without it: all tests, in their usual order. */
  readonly arrangement?: Arrangement;
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** The verdict as text: with it, the run may be made by a worker. */
  readonly meaning?: (ran: SuiteRun) => string;
  /** Watch what tests change: each of them, or all that run before this one. */
  readonly watched?: 'each' | TestName;
}

export interface Suite {
  run(asked: Asked): Promise<SuiteRun>;
  close(): Promise<void>;
}

const resultsFile = 'results.jsonl';

export function openSuite({ chosen, home, files, ...running }: SuiteOptions): Suite {
  const { runner, called } = chosen;
  const oracle = new CommandOracle({
    command: called.program,
    given: [],
    mirrors: home,
    isInputless: true,
    ...running,
  });
  const all = withModules(files, home);
  return {
    async run({ arrangement, timeout, signal, watched, meaning }) {
      const plan: Plan = {
        home,
        results: `${asideFolder}/${resultsFile}`,
        ...(arrangement ? { arrangement } : {}),
        ...(watched ? { watch: true } : {}),
        ...(watched && watched !== 'each' ? { target: watched } : {}),
      };
      const aside = {
        files: { 'plan.json': JSON.stringify(plan) },
        env: { ...runner.env, CULPRIT_TESTS: `${asideFolder}/plan.json` },
        reads: resultsFile,
      };
      const artifact = { files: all, args: runner.argv(called, arrangement) };
      const trial = { artifact, timeout, anew: true, aside };
      const run = meaning ? oracle.trials(attempt => meaning(suiteRun(attempt))) : oracle.run.bind(oracle);
      return suiteRun(await run(trial, signal));
    },
    close: () => oracle.close(),
  };
}

const suiteRun = ({ run, written = '' }: Attempt): SuiteRun => ({ ...readResults(written), run });

/** Packages may be in a folder further up, where a copy in another place does not find them. */
export function withModules(files: ReadonlyMap<string, Entry>, home: string): ReadonlyMap<string, Entry> {
  if (files.has('node_modules')) return files;
  for (let up = dirname(home); up !== dirname(up); up = dirname(up)) {
    const target = join(up, 'node_modules');
    if (existsSync(target)) return new Map([...files, ['node_modules', { kind: 'link', target }]]);
  }
  return files;
}

/** A line that was cut off by a crash is not a result. */
function readResults(text: string): Omit<SuiteRun, 'run'> {
  const results = new Map<string, TestResult>();
  const changed: Changes[] = [];
  let order: readonly string[] | undefined;
  for (const line of text.split('\n')) {
    const parsed = parse(line);
    if (!parsed) continue;
    if (parsed.changes) changed.push(parsed);
    else if (parsed.order) order = parsed.order;
    else if (parsed.file !== undefined && parsed.name !== undefined) {
      const message = parsed.message?.replaceAll(`${asideWorkspace}/`, '');
      // The last try counts for a test that is retried.
      results.set(`${parsed.file}\0${parsed.name}`, { ...parsed, ...(message === undefined ? {} : { message }) });
    }
  }
  return { results: [...results.values()], changed, ...(order ? { order } : {}) };
}

function parse(line: string): (TestResult & Changes & Pick<SuiteRun, 'order'>) | undefined {
  try {
    return line === '' ? undefined : JSON.parse(line);
  } catch {
    return undefined;
  }
}
