/** Runs a chosen list of tests in a private copy of the folder, and reads how each of them ended. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Arrangement, TestName } from '../../circumstances/tests.js';
import type { Entry } from '../../core/artifact.js';
import { CommandOracle, type OracleOptions } from '../command/command.js';
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

export interface SuiteOptions extends Pick<OracleOptions, 'jobs' | 'memory' | 'processes' | 'sandbox'> {
  readonly chosen: Chosen;
  readonly home: string;
  readonly files: ReadonlyMap<string, Entry>;
}

export interface Asked {
  /** Without it: all tests, in their usual order. */
  readonly arrangement?: Arrangement;
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Watch what tests change: each of them, or all that run before this one. */
  readonly watched?: 'each' | TestName;
}

export interface Suite {
  run(asked: Asked): Promise<SuiteRun>;
  close(): Promise<void>;
}

/** A separate folder in the temporary folder of each run: tests do not look there. */
const planIn = (tmp: string): string => join(tmp, 'culprit-plan');

export function openSuite({ chosen, home, files, ...running }: SuiteOptions): Suite {
  const { runner, called } = chosen;
  const oracle = new CommandOracle({ command: called.program, given: [], mirrors: home, ...running });
  const all = withModules(files, home);
  return {
    async run({ arrangement, timeout, signal, watched }) {
      const args = runner.argv(called, arrangement);
      const { attempt, seen } = await oracle.observe({ files: all, args }, timeout, signal, {
        placed(_root, tmp) {
          const plan: Plan = {
            home,
            results: join(planIn(tmp), 'results.jsonl'),
            ...(arrangement ? { arrangement } : {}),
            ...(watched ? { watch: true } : {}),
            ...(watched && watched !== 'each' ? { target: watched } : {}),
          };
          mkdirSync(planIn(tmp), { recursive: true });
          writeFileSync(join(planIn(tmp), 'plan.json'), JSON.stringify(plan));
        },
        built: (_root, tmp) => ({ ...runner.env, CULPRIT_TESTS: join(planIn(tmp), 'plan.json') }),
        ran: (root, tmp) => readResults(join(planIn(tmp), 'results.jsonl'), root),
      });
      return { results: [], changed: [], ...seen, run: attempt.run };
    },
    close: () => oracle.close(),
  };
}

/** Packages may be in a folder further up, where a copy in another place does not find them. */
function withModules(files: ReadonlyMap<string, Entry>, home: string): ReadonlyMap<string, Entry> {
  if (files.has('node_modules')) return files;
  for (let up = dirname(home); up !== dirname(up); up = dirname(up)) {
    const target = join(up, 'node_modules');
    if (existsSync(target)) return new Map([...files, ['node_modules', { kind: 'link', target }]]);
  }
  return files;
}

/** A line that was cut off by a crash is not a result. */
function readResults(path: string, root: string): Omit<SuiteRun, 'run'> {
  const results = new Map<string, TestResult>();
  const changed: Changes[] = [];
  let order: readonly string[] | undefined;
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  for (const line of text.split('\n')) {
    const parsed = parse(line);
    if (!parsed) continue;
    if (parsed.changes) changed.push(parsed);
    else if (parsed.order) order = parsed.order;
    else if (parsed.file !== undefined && parsed.name !== undefined) {
      const message = parsed.message?.replaceAll(`${root}/`, '');
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
