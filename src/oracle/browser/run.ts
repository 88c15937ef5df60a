/** Replays one recording in one page, and notes where the time goes. */
import { describeStep } from '../../circumstances/actions.js';
import type { Recording, Selectors } from '../../sources/recording/recording.js';
import type { Sighting } from './failing.js';
import { settle } from './in-page.js';
import { baseOf, type Stage, see } from './page-session.js';
import { Missing, perform } from './perform.js';

/** How a recording is replayed. Plain data: the first run settles it, and all later ones keep to it. */
export interface Manner {
  /** Milliseconds that an element may take to appear. */
  readonly patience: number;
  /** Milliseconds within which the page must answer; beyond that it hangs. */
  readonly answer: number;
  /** Milliseconds to stay after the last action: the failure may take a moment. */
  readonly linger: number;
  /** Let the page come to rest after every action, not only after the last. */
  readonly unhurried: boolean;
}

export interface Run {
  readonly sightings: readonly Sighting[];
  /** The step whose element was not there, in words. */
  readonly missing?: string;
  /** The page could not be opened, in words. */
  readonly unopened?: string;
  /** The browser went away meanwhile. */
  readonly lost?: boolean;
  /** Requests were still under way when the page had had its time. */
  readonly busy?: boolean;
  readonly split: Split;
  readonly longestWait: number;
  readonly slowestStep: number;
  /** When the page had come to rest after the last action, in milliseconds since it was opened, where it did. */
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
  readonly enough?: (sighting: Sighting) => boolean;
  /** After each step, for pictures. */
  readonly afterStep?: (index: number) => Promise<void>;
  readonly onDropDown?: (selectors: Selectors) => void;
}

class Hung extends Error {}
class Enough extends Error {}

/** Opens the page: everything up to and with the first navigation. */
export async function load(stage: Stage, recording: Recording, manner: Manner): Promise<string | undefined> {
  const began = performance.now();
  stage.page.setDefaultTimeout(manner.answer);
  try {
    for (const step of baseOf(recording)) if (step.type !== 'setViewport') await perform(stage, step, manner);
    await stage.session.send('Runtime.evaluate', { expression: settle, awaitPromise: true });
    return undefined;
  } catch (error) {
    return String((error as Error).message)
      .split('\n')[0]!
      .replace(/^page\.goto: /, '');
  } finally {
    stage.split.load = performance.now() - began;
  }
}

/** Replays the actions on a page that is open. It never throws for anything that a page may do. */
export async function runActions(
  stage: Stage,
  recording: Recording,
  manner: Manner,
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
  stage.onSight = sighting => {
    if (sighting.kind === 'crash' || ending.enough?.(sighting)) stop(new Enough());
  };
  if (stage.sightings.some(sighting => sighting.kind === 'crash' || ending.enough?.(sighting))) stop(new Enough());
  const within = <T>(promise: Promise<T>, allowed: number): Promise<T> => {
    promise.catch(() => {});
    let timer: NodeJS.Timeout;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Hung()), allowed);
    });
    return Promise.race([promise, stopped, late]).finally(() => clearTimeout(timer));
  };
  const isSeen = () => stage.sightings.some(each => each.kind === 'expression');
  // An expression mostly stays true: when it becomes true is what counts.
  const check = async () => {
    if (ending.expression && !isSeen() && (await isTrue(stage, ending.expression)))
      see(stage, 'expression', ending.expression);
  };
  let acted = began;
  let rested: number | undefined;
  try {
    for (const [index, step] of recording.steps.entries()) {
      if (index < first) continue;
      stage.step = index;
      const from = performance.now();
      let waited = 0;
      const onWait = (milliseconds: number) => {
        waited = milliseconds;
        longestWait = Math.max(longestWait, milliseconds);
      };
      const { onDropDown } = ending;
      const how = { patience: manner.patience, onWait, ...(onDropDown ? { onDropDown } : {}) };
      await within(perform(stage, step, how), manner.answer + manner.patience);
      slowestStep = Math.max(slowestStep, performance.now() - from - waited);
      if (manner.unhurried) await within(rest(stage, manner), manner.answer + manner.patience);
      if (ending.expression) await within(check(), manner.answer);
      await ending.afterStep?.(index);
    }
    acted = performance.now();
    await within(rest(stage, manner), manner.answer + manner.patience);
    await within(check(), manner.answer);
    rested = performance.now();
    for (const until = performance.now() + manner.linger; performance.now() < until; ) {
      await within(pause(Math.min(20, manner.linger)), manner.answer);
      await within(check(), manner.answer);
    }
  } catch (error) {
    if (acted === began) acted = performance.now();
    if (error instanceof Missing) missing = `${error.message} (${describeStep(recording.steps[stage.step]!)})`;
    else if (error instanceof Hung) see(stage, 'hang', 'the page does not answer');
    else if (!(error instanceof Enough) && !stage.closed) {
      missing = String((error as Error).message).split('\n')[0]!;
      // What was asked of a page that is just crashing fails before the crash is told: does it still answer?
      const alive = stage.session.send('Runtime.evaluate', { expression: '1' }).catch(() => pause(manner.answer));
      await within(alive.then(), manner.answer).catch(() => {});
    }
  }
  stage.onSight = undefined;
  return {
    sightings: stage.sightings,
    ...(missing !== undefined && { missing }),
    ...(stage.context.browser()?.isConnected() === false && { lost: true }),
    ...(stage.requests > 0 && { busy: true }),
    split: { ...stage.split, actions: acted - began, verdict: performance.now() - acted },
    longestWait,
    slowestStep,
    ...(rested !== undefined && { restedAt: rested - stage.openedAt }),
  };
}

/** The page has drawn, has had a turn, and waits for nothing from the network (within patience). */
async function rest(stage: Stage, manner: Manner): Promise<void> {
  const began = performance.now();
  do {
    try {
      await stage.session.send('Runtime.evaluate', { expression: settle, awaitPromise: true });
    } catch {
      await stage.page.waitForLoadState('load').catch(() => {}); // it navigates
    }
  } while (stage.requests > 0 && performance.now() - began < Math.max(manner.patience, 100));
}

async function isTrue(stage: Stage, expression: string): Promise<boolean> {
  try {
    const answer = await stage.session.send('Runtime.evaluate', {
      expression: `Boolean(${expression})`,
      returnByValue: true,
    });
    return answer.result.value === true;
  } catch {
    return false;
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise(resolve => setTimeout(resolve, milliseconds));
