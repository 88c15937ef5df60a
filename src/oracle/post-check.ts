/** A command that runs after each replay and decides the verdict. */
import { join } from 'node:path';
import type { Artifact } from '../core/artifact.js';
import type { Test } from '../core/index.js';
import { fillCommand, quoteAll } from '../core/shell.js';
import type { Journal } from '../run/journal.js';
import { ownEnvironment } from '../run/kept-environment.js';
import { type FirstRun, settleFirstRun } from './command/first-run.js';
import { type Asked, judge, type Rule } from './command/rules.js';
import { openWorkspaces } from './command/workspace.js';
import { openRunner, type Run } from './process/index.js';

export interface PostCheck {
  /** Decides from the first answer what counts. Throws a `UserError` that explains why there is nothing to reduce. */
  readonly test: Test<Artifact>;
  /** What the first answer decided. */
  first(): FirstRun | undefined;
  close(): Promise<void>;
}

export interface PostCheckOptions {
  readonly command: readonly string[];
  readonly asked: Exclude<Asked, { kind: 'differs' }>;
  /** Seconds. */
  readonly timeout?: number;
  readonly memory?: number;
  readonly processes?: number;
  readonly journal: Journal;
}

const keptOutput = 256 * 1024;
const largestFile = 1024 ** 3;
/** Seconds that the first run of the command may take. */
const patience = 600;
const hang = 10;

/**
 * A command that looks at what a test left behind: a server's log, a database. It runs in the user's folder and not in a
 * copy, because that is where these are; `{}` is a file with what was tested. It runs one at a time.
 */
export function openPostCheck({ command, asked, timeout, memory, processes, journal }: PostCheckOptions): PostCheck {
  const workspaces = openWorkspaces(1);
  const limits = {
    output: keptOutput,
    fileSize: largestFile,
    ...(memory === undefined ? {} : { memory }),
    ...(processes === undefined ? {} : { processes }),
  };
  const runner = openRunner({ slots: 1, limits, folders: [workspaces.root] });
  const env = { ...ownEnvironment(), TMPDIR: workspaces.tmp(0) };
  const cwd = process.cwd();
  let first = journal.noted<FirstRun>('first command');
  let turn: Promise<unknown> = Promise.resolve();

  const words = (path: string): readonly string[] => fillCommand(command, '{}', path);

  const context = { volatile: [workspaces.root], input: () => false };
  const limit = () => first?.timeout ?? timeout ?? (asked.kind === 'hang' ? hang : patience);
  const run = async (artifact: Artifact, signal: AbortSignal): Promise<Run> => {
    workspaces.put(0, artifact);
    const [name = ''] = artifact.files.keys();
    try {
      return await runner.run({ argv: words(join(workspaces.path(0), name)), cwd, env, timeout: limit() }, 0, signal);
    } finally {
      workspaces.tidy(0);
    }
  };
  const settle = (original: Run): FirstRun =>
    settleFirstRun({
      asked,
      command: quoteAll(command),
      where: cwd,
      argv: command,
      names: [command[0]!],
      original: { run: original },
      ...(timeout === undefined ? {} : { timeout }),
      context,
    });
  return {
    test(artifact, signal) {
      const verdict = turn.then(async () => {
        const ended = await run(artifact, signal);
        if (!first) {
          first = settle(ended);
          journal.note('first command', first);
        }
        return judge(first.rule as Exclude<Rule, { kind: 'differs' }>, ended, context);
      });
      turn = verdict.catch(() => {});
      return verdict;
    },
    first: () => first,
    async close() {
      await runner.close();
      workspaces.close();
    },
  };
}
