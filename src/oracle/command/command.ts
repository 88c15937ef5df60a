/** The command oracle: puts an artifact into a workspace, runs the command, and returns a verdict. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Artifact } from '../../core/artifact.js';
import type { Test, Verdict } from '../../core/index.js';
import { ownEnvironment } from '../../run/kept-environment.js';
import { closeArchives } from '../../sources/archives/index.js';
import { ExclusiveLock } from '../exclusive-lock.js';
import { openRunner, type Run, type Runner } from '../process/index.js';
import { nativeBacktrace } from '../signature/backtrace.js';
import type { SignatureContext } from '../signature/read.js';
import { lookAside } from './aside.js';
import type { Attempt } from './attempt.js';
import { type BuildStep, buildStep, whyUnbuilt } from './build-step.js';
import { cleanOutput } from './clean-output.js';
import { type CommandWords, commandWords } from './command-words.js';
import { placed } from './in-folder.js';
import { lookUpIn } from './input-words.js';
import type { Look, OracleOptions } from './options.js';
import type { LocalRunner, RemoteRunner, Trial } from './remote-runner.js';
import { demandVisible } from './resolve-words.js';
import { judge, judgeDiffers, type Rule } from './rules.js';
import { Slots } from './slots.js';
import { warmStarts } from './warm.js';
import { openWorkspaces, type Workspaces } from './workspace.js';

interface CommandRun {
  readonly artifact: Artifact;
  /** The command that it is compared with, instead of the user's own. */
  readonly words?: readonly string[];
  readonly timeout: number;
  /** Additional environment variables of the build. */
  readonly forBuild?: Readonly<Record<string, string>>;
}

/** Bytes that are kept of what a command prints, and that a file may grow to. */
const keptOutput = 256 * 1024;
const largestFile = 1024 ** 3;
/** The longest timeout in seconds that Node's timers support: a longer one would fire at once. */
const longest = 2_000_000;

/** Runs the user's command on artifacts in private workspaces. Owns processes and folders until it is closed. */
export class CommandOracle {
  readonly #workspaces: Workspaces;
  readonly #runner: Runner;
  readonly #slots: Slots;
  readonly #gate = new ExclusiveLock();
  readonly #options: OracleOptions;
  readonly #env: Readonly<Record<string, string>>;
  /** One for each slot, always the same object, so that the runner need not compare it. */
  readonly #envs: Readonly<Record<string, string>>[] = [];
  /** Variables for the tests. A close look starts cold: coverage is less exact for code that was compiled before. */
  readonly #warm: Readonly<Record<string, string>> = {};
  readonly #words: CommandWords;
  readonly #isInInput: (word: string) => boolean;
  readonly #builds: BuildStep | undefined;
  #elsewhere: RemoteRunner | undefined;

  constructor(options: OracleOptions) {
    this.#options = options;
    this.#env = { ...(options.env ?? ownEnvironment()) };
    this.#words = commandWords(options);
    this.#isInInput = lookUpIn(options.original);
    this.#builds = options.build === undefined ? undefined : buildStep(options.build);
    if (options.sandbox) demandVisible(this.argv);
    this.#workspaces = openWorkspaces(options.jobs, {
      keeps: options.build !== undefined,
      ...(options.bytes === undefined ? {} : { bytes: options.bytes }),
    });
    if (options.warm && !options.sandbox) this.#warm = warmStarts(this.#env, this.#workspaces.root);
    this.#slots = new Slots(options.jobs);
    this.#runner = openRunner({
      slots: options.jobs,
      limits: {
        output: keptOutput,
        fileSize: largestFile,
        ...(options.memory ? { memory: options.memory } : {}),
        ...(options.processes ? { processes: options.processes } : {}),
      },
      folders: [this.#workspaces.root],
      ...(options.sandbox
        ? { sandbox: { writable: slot => [this.#workspaces.path(slot), this.#workspaces.tmp(slot)] } }
        : {}),
    });
  }

  /** The command's words; `{}` stands for the artifact. */
  get argv(): readonly string[] {
    return this.#words.argv;
  }

  /** What must not count in a signature: the artifact's location. */
  get context(): SignatureContext {
    const names = this.#options.given.flatMap(({ name }) => [...new Set([name, basename(name)])]);
    const slots = Array.from({ length: this.#options.jobs }, (_, slot) => slot);
    const folders = slots.flatMap(slot => [this.#workspaces.path(slot), this.#workspaces.tmp(slot)]);
    return {
      volatile: [...folders, this.#workspaces.root, ...names],
      input: this.#isInInput,
      scripts: this.#words.scripts,
    };
  }

  /** One run of the command (and of the one it is compared with), whatever the outcome. */
  async attempt(
    artifact: Artifact,
    timeout: number,
    signal: AbortSignal = new AbortController().signal,
    { anew = false, look }: { readonly anew?: boolean; readonly look?: Look<void> } = {},
  ): Promise<Attempt> {
    const slot = await this.#slots.take();
    try {
      if (anew) this.#clear(slot, artifact);
      return await this.#attemptIn(slot, { artifact, timeout }, signal, look);
    } finally {
      this.#slots.give(slot);
    }
  }

  /** One run of a trial on this machine. */
  async run({ artifact, timeout, anew, aside }: Trial, signal: AbortSignal): Promise<Attempt> {
    if (!aside) return this.attempt(artifact, timeout, signal, { anew });
    const { attempt, seen: written } = await this.observe(artifact, timeout, signal, lookAside(aside));
    return { ...attempt, ...(written === undefined ? {} : { written }) };
  }

  /** One run, with the workspace inspected before, between and after. Nothing is inspected if the build fails. */
  async observe<T>(
    artifact: Artifact,
    timeout: number,
    signal: AbortSignal,
    look: Look<T>,
  ): Promise<{ readonly attempt: Attempt; readonly seen?: T }> {
    const slot = await this.#slots.take();
    try {
      const [root, tmp] = [this.#workspaces.path(slot), this.#workspaces.tmp(slot)];
      this.#clear(slot, artifact);
      look.placed?.(root, tmp);
      const forBuild = look.forBuild?.(root, tmp);
      let seen: T | undefined;
      const run = { artifact, timeout, ...(forBuild ? { forBuild } : {}) };
      const attempt = await this.#runIn(slot, run, signal, {
        ...look,
        ran: (root, tmp) => {
          seen = look.ran(root, tmp);
        },
      });
      return { attempt, ...(seen === undefined ? {} : { seen }) };
    } finally {
      if (look.forBuild) this.#workspaces.clear(slot);
      this.#slots.give(slot);
    }
  }

  /**
   * The test by a rule. `anew`: each candidate is built from scratch, and not on top of the one before it.
   */
  test(rule: Rule, timeout: number, anew = false): Test<Artifact> {
    const run = this.trials(attempt => meaningOf(this.verdict(rule, attempt)));
    return async (artifact, signal) => this.verdict(rule, await run({ artifact, timeout, anew }, signal));
  }

  /** Runs trials on this machine or on workers. `meaning`: the verdict as text, to compare a worker's attempts with own ones. */
  trials(meaning: LocalRunner['meaning']): (trial: Trial, signal: AbortSignal) => Promise<Attempt> {
    const elsewhere = this.#openElsewhere();
    if (!elsewhere) return (trial, signal) => this.#here(trial, signal);
    const own: LocalRunner = {
      here: (trial, signal) => this.#here(trial, signal),
      read: attempt => this.#fromElsewhere(attempt),
      meaning,
    };
    return (trial, signal) => elsewhere.attempt({ ...trial, artifact: this.#withBeside(trial.artifact) }, own, signal);
  }

  /** What a rule makes of an attempt. */
  verdict(rule: Rule, { run, other, unbuilt }: Attempt): Verdict {
    if (unbuilt) return { outcome: 'unresolved', reason: whyUnbuilt(run) };
    if (rule.kind !== 'differs') return judge(rule, run, this.context);
    return other ? judgeDiffers(rule, run, other) : { outcome: 'unresolved', reason: 'the other command was not run' };
  }

  /** The native stack on which the command dies, by gdb if it is installed. Expensive: as much as a thousand tests. */
  async backtrace(
    artifact: Artifact,
    timeout: number,
    signal?: AbortSignal,
    addresses = false,
  ): Promise<readonly string[] | undefined> {
    if (this.#options.sandbox) return undefined;
    const slot = await this.#slots.take();
    try {
      this.#put(slot, artifact);
      if (await this.#build(slot, signal ?? new AbortController().signal)) return undefined;
      const cwd = this.#workspaces.path(slot);
      const words = this.#words.fill(artifact, cwd);
      const input = this.#words.pathIn(cwd, artifact);
      const argv = this.readsStdin ? ['/bin/sh', '-c', 'exec "$@" <"$0"', input, ...words] : words;
      const env = this.#inSlot(artifact.env ?? this.#env, slot);
      return await nativeBacktrace(argv, { cwd, env, timeout: timeout + 5, signal, addresses });
    } finally {
      this.#workspaces.tidy(slot);
      this.#slots.give(slot);
    }
  }

  /** The command as a person can type it, on the artifact at this path. */
  shown(path: string): string {
    return this.#words.shown(path);
  }

  /** The command with the path that `{}` stood for in the first slot; nothing if it has no `{}`. */
  ranAs(artifact: Artifact): string | undefined {
    return this.#words.ranAs(artifact, this.#workspaces.path(0));
  }

  /** The environment of the command, without what a slot adds. */
  get environment(): Readonly<Record<string, string>> {
    return this.#env;
  }

  /** A build comes before each test. */
  get isBuilt(): boolean {
    return this.#options.build !== undefined;
  }

  get readsStdin(): boolean {
    return this.#options.stdin === true;
  }

  async close(): Promise<void> {
    await this.#elsewhere?.close();
    await this.#runner.close();
    this.#workspaces.close();
  }

  #openElsewhere(): RemoteRunner | undefined {
    const { farm, build, memory, processes, original, given, stdin, oneOf, isInputless, folder } = this.#options;
    if (!farm) return undefined;
    return (this.#elsewhere ??= farm.open({
      argv: this.argv,
      names: given.map(each => each.name),
      workspace: this.#workspaces.path(0),
      ...(this.#words.compared === undefined ? {} : { differs: this.#words.compared[0]! }),
      ...(build === undefined ? {} : { build }),
      ...(memory === undefined ? {} : { memory }),
      ...(processes === undefined ? {} : { processes }),
      ...(stdin ? { stdin } : {}),
      ...(oneOf ? { oneOf } : {}),
      ...(isInputless ? { isInputless } : {}),
      ...(folder === undefined ? {} : { folder }),
      ...(original === undefined ? {} : { original: this.#withBeside(original) }),
    }));
  }

  #fromElsewhere(attempt: Attempt): Attempt {
    const clean = (run: Run) => cleanOutput(run, this.#workspaces.path(0), this.#options);
    return { ...attempt, run: clean(attempt.run), ...(attempt.other ? { other: clean(attempt.other) } : {}) };
  }

  /** On this machine. A timeout next to other tests is repeated alone before it counts. */
  #here(trial: Trial, signal: AbortSignal): Promise<Attempt> {
    const run = async () => {
      signal.throwIfAborted();
      return this.run(trial, signal);
    };
    return this.#gate.share(run, attempt => attempt.run.timedOut);
  }

  async #attemptIn(
    slot: number,
    { artifact, timeout }: Pick<Trial, 'artifact' | 'timeout'>,
    signal: AbortSignal,
    look?: Look<void>,
  ): Promise<Attempt> {
    const attempt = await this.#runIn(slot, { artifact, timeout }, signal, look);
    const { compared } = this.#words;
    if (compared === undefined || attempt.unbuilt) return attempt;
    const other = await this.#runIn(slot, { artifact, words: compared, timeout }, signal);
    return other.unbuilt ? other : { run: attempt.run, other: other.run };
  }

  async #runIn(
    slot: number,
    { artifact, words, timeout, forBuild }: CommandRun,
    signal: AbortSignal,
    look?: Look<void>,
  ): Promise<Attempt> {
    this.#put(slot, artifact);
    const [cwd, tmp] = [this.#workspaces.path(slot), this.#workspaces.tmp(slot)];
    // If the environment varies, a TMPDIR in it is one of its variables.
    const env = artifact.env ? { TMPDIR: tmp, ...artifact.env } : this.#envOf(slot);
    try {
      const unbuilt = await this.#build(slot, signal, forBuild);
      if (unbuilt) return { run: unbuilt, unbuilt: true };
      const argv = this.#words.fill(artifact, cwd, words);
      const all = look?.built
        ? { ...(artifact.env ? env : this.#inSlot(this.#env, slot)), ...look.built(cwd, tmp) }
        : env;
      const stdin = this.readsStdin ? { stdin: this.#words.pathIn(cwd, artifact) } : {};
      const invocation = { argv, cwd: this.#folderIn(cwd), env: all, timeout: Math.min(timeout, longest), ...stdin };
      const run = await this.#runner.run(invocation, slot, signal);
      look?.ran(cwd, tmp);
      return { run: cleanOutput(run, cwd, this.#options) };
    } finally {
      this.#workspaces.tidy(slot);
    }
  }

  /** Nothing if it succeeded, or if there is nothing to build. */
  async #build(slot: number, signal: AbortSignal, more?: Readonly<Record<string, string>>): Promise<Run | undefined> {
    const workspace = this.#workspaces.path(slot);
    const env = more ? { ...this.#envOf(slot), ...more } : this.#envOf(slot);
    const cwd = this.#folderIn(workspace);
    const failed = await this.#builds?.run(workspace, {
      run: (argv, timeout) => this.#runner.run({ argv, cwd, env, timeout }, slot, signal),
      kept: () => this.#workspaces.built(slot),
      stopped: () => this.#workspaces.clear(slot),
    });
    return failed && cleanOutput(failed, workspace, this.#options);
  }

  #put(slot: number, artifact: Artifact): void {
    this.#workspaces.put(slot, this.#withBeside(artifact));
  }

  /** What lies in the workspace. */
  #withBeside(tested: Artifact): Artifact {
    const { beside, places } = this.#options;
    const artifact = places === undefined ? closeArchives(tested) : placed(closeArchives(tested), places);
    if (!beside?.size) return artifact;
    const files = new Map([...[...beside, ...artifact.files].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))]);
    return { ...artifact, files };
  }

  #folderIn(workspace: string): string {
    const folder = join(workspace, this.#options.folder ?? '.');
    return existsSync(folder) ? folder : workspace;
  }

  #clear(slot: number, artifact: Artifact): void {
    this.#put(slot, artifact);
    this.#workspaces.clear(slot);
  }

  #envOf(slot: number): Readonly<Record<string, string>> {
    return (this.#envs[slot] ??= this.#inSlot({ ...this.#env, ...this.#warm }, slot));
  }

  #inSlot(env: Readonly<Record<string, string>>, slot: number): Readonly<Record<string, string>> {
    return { ...env, TMPDIR: this.#workspaces.tmp(slot) };
  }
}

/** Verdicts that mean the same have the same text. */
export const meaningOf = ({ outcome, signature }: Verdict): string => `${outcome} ${signature ?? ''}`;
