/** Rules for testing ahead: what is likely enough to be worth a worker that would be idle otherwise. */
import type { Counter } from './counter.js';

/** A running test is stopped only for one that is this much likelier to be needed, because its work so far is lost. */
export const muchLikelier = 2;
/** With fewer workers, the questions of one search keep all of them busy. */
export const enoughForBeyond = 4;
/** Each way in which a search may end takes time to look beyond, so few workers follow only the likeliest. */
export const mostEnds = (workers: number): number => (workers < many ? 1 : 4);
/** A question that is likelier than this begins before anything beyond the search is known. */
export const sureEnough = 0.5;
/** How many tests each of a few workers may waste per question: eight of them begin at most about 1.5 tests for each that is needed. */
const waste = 0.06;
/** What each may waste before that, so that a short run does not start idle. */
const atFirst = 0.5;
/** As many workers are not on one machine, or have nothing else to do. */
const many = 16;

export interface Idle {
  readonly workers: number;
  /** Take whatever may be asked next. */
  readonly eager?: boolean | undefined;
  readonly counter: Counter;
  /** How many tests are running. */
  readonly running: number;
}

/**
 * A question that is less likely than this to be asked is not worth a process. On a few workers a wasted test takes a core from
 * other work; with many workers, more of them are idle, and an idle one is worth less than a guess. If too
 * many guesses were wrong so far, only likely ones are tested.
 */
export const worthAhead = (idle: Idle): number => {
  const { workers, eager } = idle;
  const guess = 1 / (workers + 2);
  if (eager) return guess;
  const usual = Math.max(guess, Math.min(1 / Math.sqrt(workers + 1), (8 / workers) ** 2 / 4));
  return isWasteful(idle) ? (2 + usual) / 3 : usual;
};

/** The same for what later searches may ask. What many workers would not test otherwise is free. */
export const worthBeyond = (idle: Idle): number => {
  const least = worthAhead(idle);
  if (!idle.eager && isWasteful(idle)) return least;
  return idle.workers < many ? least / 2 : 0.001;
};

const isWasteful = ({ workers, counter, running }: Idle): boolean =>
  workers < many && counter.started - counter.spent - running > workers * (atFirst + waste * counter.spent);
