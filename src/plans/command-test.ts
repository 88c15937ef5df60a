/** A command as a test of texts: the first run decides what counts as the failure, as in `culprit reduce`. */
import type { Artifact } from '../core/artifact.js';
import type { Outcome } from '../core/index.js';
import { CommandOracle } from '../oracle/command/command.js';
import { settleFirstRun } from '../oracle/command/first-run.js';
import { type AskedOptions, askedRule } from '../oracle/command/rules.js';
import { sweepAbandoned } from '../oracle/command/workspace.js';

export interface CommandTestOptions extends AskedOptions {
  /** The name of the file that contains the text, for commands that look at it (default: input.txt). */
  readonly file?: string;
  /** The command reads the text from its standard input. */
  readonly stdin?: boolean;
  /** How many tests may run at a time (default 1): at least the `workers` of the search. */
  readonly workers?: number;
  /** Seconds per test (default: 10× the first run, at least 1). */
  readonly timeout?: number;
  /** Runs each test up to this many times until it fails, for failures that do not always happen. */
  readonly repeat?: number;
  /** MB per process. */
  readonly memory?: number;
  /** Runs tests without network and without write access outside their folder. */
  readonly sandbox?: boolean;
  /** The folder in which relative paths in the command are looked up (default: the current one). */
  readonly cwd?: string;
}

/** A test that owns folders and processes until it is closed. */
export interface CommandTest {
  (text: string, signal: AbortSignal): Promise<Outcome>;
  /** What counts as the failure, in words. */
  readonly rule: string;
  close(): Promise<void>;
}

/** Seconds that the first run may take. */
const patience = 600;

export async function openCommandTest(
  text: string,
  command: readonly string[],
  options: CommandTestOptions = {},
): Promise<CommandTest> {
  const { file = 'input.txt', workers = 1, cwd = process.cwd(), timeout, repeat = 1, memory } = options;
  const asked = askedRule(options);
  const artifactOf = (content: string): Artifact => ({
    files: new Map([[file, { kind: 'file', bytes: Buffer.from(content) }]]),
  });
  const original = artifactOf(text);
  sweepAbandoned();
  const oracle = new CommandOracle({
    command,
    given: [{ path: file, name: file, folder: false }],
    original,
    jobs: workers,
    cwd,
    ...(options.differs === undefined ? {} : { differs: options.differs }),
    ...(options.stdin ? { stdin: true } : {}),
    ...(options.sandbox ? { sandbox: true } : {}),
    ...(memory === undefined ? {} : { memory }),
  });
  try {
    const limit = timeout ?? patience;
    const first = settleFirstRun({
      asked,
      command: oracle.shown(file),
      where: cwd,
      argv: oracle.argv,
      names: [file],
      ...(options.stdin ? { stdin: true } : {}),
      original: await oracle.attempt(original, limit),
      ...(timeout === undefined ? {} : { timeout }),
      context: oracle.context,
    });
    const test = oracle.test(first.rule, first.timeout);
    const judge = async (content: string, signal: AbortSignal): Promise<Outcome> => {
      let { outcome } = await test(artifactOf(content), signal);
      for (let i = 1; i < repeat && outcome !== 'fail'; i++) ({ outcome } = await test(artifactOf(content), signal));
      return outcome;
    };
    return Object.assign(judge, { rule: first.described, close: () => oracle.close() });
  } catch (error) {
    await oracle.close();
    throw error;
  }
}
