/** Replays one recording in one page, and records where the time goes. */
import { describeStep } from '../../circumstances/actions.js';
import type { Recording, Selectors } from '../../sources/recording/recording.js';
import type { PageError } from './failing.js';
import { settleScript } from './in-page.js';
import { baseOf, type PageSession, recordError } from './page-session.js';
import { Missing, perform } from './perform.js';

/** How a recording is replayed. Plain data: the first run decides it, and all later ones use it. */
export interface ReplayTiming {
  /** Milliseconds that an element may take to appear. */
  readonly patience: number;
  /** Milliseconds that the page may take to open. No action can change that, so it is long: a busy machine needs it. */
  readonly load: number;
  /** Milliseconds within which the page must answer; beyond that it hangs. */
  readonly answer: number;
  /** Milliseconds to stay after the last action: the failure may take a moment. */
  readonly linger: number;
  /** Wait until the page is idle after every action, not only after the last. */
  readonly unhurried: boolean;
}

export interface Run {
  readonly errors: readonly PageError[];
  /** The step whose element was not there, in words. */
  readonly missing?: string;
  /** The page could not be opened, in words. */
  readonly unopened?: string;
  /** The browser ended during the replay. */
  readonly lost?: boolean;
  /** Requests were still open when the page's time was up. */
  readonly busy?: boolean;
  readonly split: Split;
  readonly longestWait: number;
  readonly slowestStep: number;
  /** When the page became idle after the last action, in milliseconds since it was opened, if it did. */
  readonly restedAt?: number;
}

/** Where the milliseconds of a replayed test go. */
export interface Split {
  readonly context: number;
  readonly load: number;
  readonly actions: number;
  readonly verdict: number;
}

export interface Ending {
  /** An expression that is watched after every action. */
  readonly expression?: string;
  /** Ends the replay early: the failure is there. */
  readonly enough?: (error: PageError) => boolean;
  /** After each step, for pictures. */
  readonly afterStep?: (index: number) => Promise<void>;
  readonly onDropDown?: (selectors: Selectors) => void;
}

class Hung extends Error {}
class Enough extends Error {}

/** Opens the page: everything up to and with the first navigation. */
export async function load(tab: PageSession, recording: Recording, timing: ReplayTiming): Promise<string | undefined> {
  const began = performance.now();
  tab.page.setDefaultTimeout(timing.answer);
  tab.page.setDefaultNavigationTimeout(timing.load);
  try {
    for (const step of baseOf(recording)) if (step.type !== 'setViewport') await perform(tab, step, timing);
    await tab.session.send('Runtime.evaluate', { expression: settleScript, awaitPromise: true });
    return undefined;
  } catch (error) {
    return String((error as Error).message)
      .split('\n')[0]!
      .replace(/^page\.goto: /, '');
  } finally {
    tab.split.load = performance.now() - began;
  }
}

/** Replays the actions on a page that is open. It never throws for anything that a page may do. */
export async function runActions(
  tab: PageSession,
  recording: Recording,
  timing: ReplayTiming,
  ending: Ending = {},
): Promise<Run> {
  const began = performance.now();
  const first = baseOf(recording).length;
  let longestWait = 0;
  let slowestStep = 0;
  let missing: string | undefined;
  let stop: (error: Error) => void = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = reject;
  });
  stopped.catch(() => {});
  tab.onError = error => {
    if (error.kind === 'crash' || ending.enough?.(error)) stop(new Enough());
  };
  if (tab.errors.some(error => error.kind === 'crash' || ending.enough?.(error))) stop(new Enough());
  const within = <T>(promise: Promise<T>, allowed: number): Promise<T> => {
    promise.catch(() => {});
    let timer: NodeJS.Timeout;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Hung()), allowed);
    });
    return Promise.race([promise, stopped, late]).finally(() => clearTimeout(timer));
  };
  const isSeen = () => tab.errors.some(each => each.kind === 'expression');
  // An expression usually stays true, so only the moment when it becomes true counts.
  const check = async () => {
    if (ending.expression && !isSeen() && (await isTrue(tab, ending.expression)))
      recordError(tab, 'expression', ending.expression);
  };
  let acted = began;
  let rested: number | undefined;
  try {
    for (const [index, step] of recording.steps.entries()) {
      if (index < first) continue;
      tab.step = index;
      const from = performance.now();
      let waited = 0;
      const onWait = (milliseconds: number) => {
        waited = milliseconds;
        longestWait = Math.max(longestWait, milliseconds);
      };
      const { onDropDown } = ending;
      const how = { patience: timing.patience, onWait, ...(onDropDown ? { onDropDown } : {}) };
      await within(perform(tab, step, how), timing.answer + timing.patience);
      slowestStep = Math.max(slowestStep, performance.now() - from - waited);
      if (timing.unhurried) await within(rest(tab, timing), timing.answer + timing.patience);
      if (ending.expression) await within(check(), timing.answer);
      await ending.afterStep?.(index);
    }
    acted = performance.now();
    await within(rest(tab, timing), timing.answer + timing.patience);
    await within(check(), timing.answer);
    rested = performance.now();
    for (const until = performance.now() + timing.linger; performance.now() < until; ) {
      await within(pause(Math.min(20, timing.linger)), timing.answer);
      await within(check(), timing.answer);
    }
  } catch (error) {
    if (acted === began) acted = performance.now();
    if (error instanceof Missing) missing = `${error.message} (${describeStep(recording.steps[tab.step]!)})`;
    else if (error instanceof Hung) recordError(tab, 'hang', 'the page does not answer');
    else if (!(error instanceof Enough) && !tab.closed) {
      missing = String((error as Error).message).split('\n')[0]!;
      // A request to a crashing page fails before the crash is reported: does the page still answer?
      const alive = tab.session.send('Runtime.evaluate', { expression: '1' }).catch(() => pause(timing.answer));
      await within(alive.then(), timing.answer).catch(() => {});
    }
  }
  tab.onError = undefined;
  return {
    errors: tab.errors,
    ...(missing !== undefined && { missing }),
    ...(tab.context.browser()?.isConnected() === false && { lost: true }),
    ...(tab.requests > 0 && { busy: true }),
    split: { ...tab.split, actions: acted - began, verdict: performance.now() - acted },
    longestWait,
    slowestStep,
    ...(rested !== undefined && { restedAt: rested - tab.openedAt }),
  };
}

/** Waits (within `patience`) until the page has drawn, has had a turn, and has no open requests. */
async function rest(tab: PageSession, timing: ReplayTiming): Promise<void> {
  const began = performance.now();
  do {
    try {
      await tab.session.send('Runtime.evaluate', { expression: settleScript, awaitPromise: true });
    } catch {
      await tab.page.waitForLoadState('load').catch(() => {}); // it navigates
    }
  } while (tab.requests > 0 && performance.now() - began < Math.max(timing.patience, 100));
}

async function isTrue(tab: PageSession, expression: string): Promise<boolean> {
  try {
    const answer = await tab.session.send('Runtime.evaluate', {
      expression: `Boolean(${expression})`,
      returnByValue: true,
    });
    return answer.result.value === true;
  } catch {
    return false;
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise(resolve => setTimeout(resolve, milliseconds));
