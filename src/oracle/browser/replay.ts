/** Replays recordings, several at a time, and judges each replay. */
import { describeStep } from '../../circumstances/actions.js';
import type { Test } from '../../core/index.js';
import type { Recording, Selectors } from '../../sources/recording/recording.js';
import { type BrowserOptions, type OpenBrowser, openBrowser } from './browser.js';
import { type ExpectedFailure, type FirstRun, judge, replayProblem } from './expected-failure.js';
import type { Failing } from './failing.js';
import { patientFirst, settleFirst } from './first-replay.js';
import { baseOf, openPageSession, type PageSession } from './page-session.js';
import { type Ending, load, type ReplayTiming, type Run, runActions, type Split } from './run.js';

export interface ReplayerOptions extends BrowserOptions {
  readonly failing: Failing;
  /** The recording's folder: addresses without a scheme are files in it. */
  readonly folder?: string;
  /** How many tests run at a time: this many pages are kept ready. */
  readonly jobs?: number;
  /** Milliseconds within which the page must answer (default: learned from the first run). */
  readonly timeout?: number;
  /** Milliseconds that an element may take to appear (default: learned from the first run). */
  readonly patience?: number;
  /** What an earlier first run decided, to continue without another one. */
  readonly expected?: ExpectedFailure;
}

interface ReplayOptions {
  readonly signal?: AbortSignal;
  /** Open the pages of the next replays meanwhile. */
  readonly ahead?: boolean;
}

export interface Picture {
  /** Index of the step in the recording. */
  readonly step: number;
  readonly words: string;
  readonly png: Uint8Array;
}

export interface Replayer {
  readonly test: Test<Recording>;
  /** Replays the original and decides which failure is expected, or says in a `UserError` why there is none. */
  firstRun(recording: Recording, signal?: AbortSignal): Promise<FirstRun>;
  /** The page after each step. */
  pictures(recording: Recording): Promise<readonly Picture[]>;
  /** Replays so far, and the mean milliseconds of their parts. */
  /** The selectors, as JSON, of the drop-downs that were set so far. */
  readonly dropDowns: ReadonlySet<string>;
  spent(): { readonly replays: number; readonly mean: Split };
  close(): Promise<void>;
}

/** A page that was opened ahead and has waited longer than this is not used: its timers have been running. */
const freshFor = 5000;

/** A browser that stays up between tests; each test has a fresh context, some of which are opened ahead. */
export async function openReplayer(options: ReplayerOptions): Promise<Replayer> {
  const { failing, jobs = 1 } = options;
  let opening: Promise<OpenBrowser> | undefined = openBrowser(options);
  await opening;
  let expected = options.expected;
  let closed = false;
  const spares: { readonly base: string; readonly tab: Promise<Ready> }[] = [];
  const total = { context: 0, load: 0, actions: 0, verdict: 0 };
  let replays = 0;
  const dropDowns = new Set<string>();
  const onDropDown = (selectors: Selectors) => void dropDowns.add(JSON.stringify(selectors));
  // A page that loads asks its server for things, and may change what it keeps. If tests run one by one, because a command
  // looks at that or because the user says so, none may load while another test is running.
  const loadsAhead = jobs > 1 && failing.kind !== 'command';

  interface Ready {
    readonly tab: PageSession;
    /** The page started to load, with this description. */
    readonly loaded?: { readonly unopened: string | undefined; readonly at: number };
  }

  type Loaded = Ready & { readonly loaded: NonNullable<Ready['loaded']> };

  /** The browser, a new one if the old one is gone; concurrent callers wait for the same one. */
  async function browserNow(): Promise<OpenBrowser> {
    if (closed) throw new Error('The replayer is closed.');
    const asked = opening;
    const current = await asked?.catch(() => undefined);
    if (current?.browser.isConnected()) return current;
    if (opening !== asked && opening) return browserNow();
    void current?.close().catch(() => {});
    opening = openBrowser(options);
    return opening;
  }

  async function prepare(recording: Recording): Promise<Ready> {
    const { browser } = await browserNow();
    return { tab: await openPageSession(browser, recording, options.folder) };
  }

  async function opened({ tab, loaded }: Ready, recording: Recording, timing: ReplayTiming): Promise<Loaded> {
    if (loaded) return { tab, loaded };
    const unopened = await load(tab, recording, timing);
    return { tab, loaded: { unopened, at: performance.now() } };
  }

  async function take(recording: Recording, timing: ReplayTiming): Promise<Loaded> {
    const base = JSON.stringify(baseOf(recording));
    for (let spare = spares.shift(); spare; spare = spares.shift()) {
      const ready = await spare.tab.catch(() => undefined);
      const fits =
        ready &&
        spare.base === base &&
        performance.now() - (ready.loaded?.at ?? performance.now()) < freshFor &&
        ready.tab.page.isClosed() === false;
      if (fits && ready.tab.context.browser()?.isConnected() !== false) return opened(ready, recording, timing);
      void ready?.tab.close();
    }
    return opened(await prepare(recording), recording, timing);
  }

  function openAhead(recording: Recording, timing: ReplayTiming): void {
    while (!closed && spares.length < jobs) {
      const tab = loadsAhead ? prepare(recording).then(ready => opened(ready, recording, timing)) : prepare(recording);
      tab.catch(() => {});
      spares.push({ base: JSON.stringify(baseOf(recording)), tab });
    }
  }

  async function replay(
    recording: Recording,
    timing: ReplayTiming,
    ending: Ending,
    { signal, ahead = true }: ReplayOptions,
  ): Promise<Run> {
    const ready = await take(recording, timing);
    const { tab, loaded } = ready;
    const drop = () => void tab.close();
    if (signal?.aborted) drop();
    signal?.addEventListener('abort', drop, { once: true });
    try {
      if (ahead) openAhead(recording, timing);
      if (loaded.unopened !== undefined)
        return {
          errors: tab.errors,
          unopened: loaded.unopened,
          split: { ...tab.split, actions: 0, verdict: 0 },
          longestWait: 0,
          slowestStep: 0,
        };
      const run = await runActions(tab, recording, timing, { ...ending, onDropDown });
      replays++;
      for (const part of Object.keys(total) as (keyof Split)[]) total[part] += run.split[part];
      return run;
    } finally {
      signal?.removeEventListener('abort', drop);
      void tab.close();
    }
  }

  const expression = failing.kind === 'expression' ? { expression: failing.expression } : {};

  const test: Test<Recording> = async (recording, signal) => {
    if (!expected) throw new Error('A replayer is asked for a verdict before its first run.');
    const { timing, signature } = expected;
    const began = performance.now();
    const run = await replay(
      recording,
      timing,
      { ...expression, enough: each => each.signature === signature },
      { signal },
    );
    // Its page was closed during the test, so what it saw is no evidence.
    if (signal.aborted) return { outcome: 'unresolved', reason: 'stopped' };
    const verdict =
      failing.kind === 'command'
        ? (replayProblem(run) ?? (await failing.run(recording, signal)))
        : judge(expected, run);
    return { ...verdict, seconds: (performance.now() - began) / 1000 };
  };

  const firstRun = (recording: Recording, signal: AbortSignal = new AbortController().signal): Promise<FirstRun> =>
    settleFirst(recording, {
      options,
      replay: (each, timing) => replay(each, timing, expression, { signal, ahead: false }),
      // The decision applies from here on, also to the test that checks it.
      test: async settled => {
        expected = settled;
        return test(recording, signal);
      },
      signal,
    });

  async function pictures(recording: Recording): Promise<readonly Picture[]> {
    const taken: Picture[] = [];
    const timing = { ...(expected?.timing ?? patientFirst), linger: 0 };
    const ready = await take(recording, timing);
    const { tab } = ready;
    const shoot = async (step: number) => {
      const png = await tab.page.screenshot({ timeout: 5000, animations: 'disabled' }).catch(() => undefined);
      if (png) taken.push({ step, words: describeStep(recording.steps[step]!), png });
    };
    try {
      await shoot(baseOf(recording).length - 1);
      await runActions(tab, recording, timing, { afterStep: shoot });
      return taken;
    } finally {
      await tab.close();
    }
  }

  return {
    test,
    firstRun,
    pictures,
    dropDowns,
    spent: () => {
      const mean = (part: keyof Split) => (replays === 0 ? 0 : total[part] / replays);
      return {
        replays,
        mean: { context: mean('context'), load: mean('load'), actions: mean('actions'), verdict: mean('verdict') },
      };
    },
    async close() {
      closed = true;
      // Their tabs are closed with the browser.
      for (const spare of spares.splice(0)) void spare.tab.catch(() => {});
      const current = await opening?.catch(() => undefined);
      opening = undefined;
      await current?.close();
    },
  };
}
