/** Shows a run on the terminal while it is running. */
import type { Event } from '../engine/events.js';
import { lastOf } from './log.js';
import {
  type Ending,
  improvementLine,
  lookLines,
  openingLines,
  panelLines,
  quietLines,
  summaryLines,
  transcriptLine,
  waitingLines,
} from './panel.js';
import { cut, type Line, piece, print, printable, widthOf } from './screen.js';
import { fold, measure, nothingYet, type ReportState, unitOf } from './state.js';

/** The part of a stream that is needed: process.stderr is one. */
export interface Out {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

export interface TerminalOptions {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds. */
  readonly clock?: () => number;
  /** Calls back regularly, so that the clock advances during a long test. Returns a function that stops it. */
  readonly every?: (milliseconds: number, call: () => void) => () => void;
  /** Calls back with each key that is pressed. Returns a function that stops it. Without it, no keys are read. */
  readonly keys?: (press: (key: string) => void) => () => void;
}

const redrawAfter = 100;
const plainWidth = 400;
/** Candidates fail in dozens of other ways; the first few are worth a line, the rest are counted and kept. */
const fewFailures = 3;
/**
 * In a log, a line is printed if the result shrank by this fraction, or if it shrank and nothing was printed for this long.
 */
const worthALine = 0.05;
const longestSilence = 10_000;
/** Lines of a candidate that are shown below the panel. */
const lookedAt = 12;

/**
 * What a person sees during a run: on a terminal, a panel that is redrawn in place; elsewhere (a pipe, a log, CI), a plain
 * line per improvement. It owns the last lines of the screen: everything else is printed through `say`.
 */
export class Terminal {
  #state: ReportState = nothingYet;
  #drawn: readonly Line[] = [];
  #drawnAt = Number.NEGATIVE_INFINITY;
  #pending = '';
  #closed = false;
  #stop: (() => void) | undefined;
  #deaf: (() => void) | undefined;
  #waiting: { readonly text: string; readonly since: number } | undefined;
  #isLooking = false;
  #lastCandidate: string | undefined;
  #logged: { readonly size: number; readonly pass: number; readonly at: number } | undefined;
  /** The candidate that is being tested, as text, for those who want to look at it. */
  look: () => string | undefined = () => undefined;
  readonly #out: Out;
  readonly #options: TerminalOptions;
  readonly #clock: () => number;
  readonly live: boolean;
  readonly colour: boolean;

  constructor(out: Out, options: TerminalOptions = {}) {
    const env = options.env ?? process.env;
    this.#out = out;
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
    const terminal = out.isTTY === true && env.TERM !== 'dumb';
    this.live = terminal && !options.quiet && !env.CI;
    this.colour = !env.NO_COLOR && (terminal || (env.FORCE_COLOR ?? '0') !== '0');
  }

  get state(): ReportState {
    return this.#state;
  }

  /** Before the first event: shows at once what is happening. */
  wait(text: string): void {
    if (!this.live || this.#closed) return;
    this.#waiting = { text, since: this.#clock() };
    this.#drawnAt = Number.NEGATIVE_INFINITY;
    this.#begin();
    this.#draw();
  }

  #begin(): void {
    this.#stop ??= (this.#options.every ?? tick)(250, () => this.#draw());
    this.#deaf ??= this.#options.keys?.(key => this.#press(key));
  }

  #press(key: string): void {
    if (key.toLowerCase() !== 'c' || this.#closed) return;
    this.#isLooking = !this.#isLooking;
    this.#drawnAt = Number.NEGATIVE_INFINITY;
    this.#draw();
  }

  see(event: Event): void {
    const before = this.#state;
    this.#state = fold(before, event, this.#clock());
    if (this.#options.quiet) return;
    const width = this.#width;
    switch (event.type) {
      case 'began':
        if (this.live) this.#begin();
        this.#print(openingLines(this.#state, width));
        break;
      case 'answered':
        if (this.#options.verbose) this.#print([transcriptLine(this.#state, lastOf(this.#state.recent)!, width)]);
        break;
      case 'reduced':
        if (!this.live && !this.#options.verbose && this.#isRealGain())
          this.#print([improvementLine(this.#state, this.#clock(), width)]);
        break;
      case 'noticed': {
        const other = event.what === 'other failure';
        const isNew = !other || this.#state.otherFailures.length > before.otherFailures.length;
        const shown =
          !other || this.#options.verbose || (!this.live && this.#state.otherFailures.length <= fewFailures);
        if (isNew && shown)
          this.say(`${other ? '? another failure: ' : ''}${event.text}${event.path ? ` (${event.path})` : ''}`);
        break;
      }
    }
    this.#draw();
  }

  /** Thousands of lines that save one byte each are not worth printing. Deltas of different passes can't be compared. */
  #isRealGain(): boolean {
    const size = measure(this.#state, this.#state.best);
    const now = this.#clock();
    const pass = unitOf(this.#state) === 'deltas' ? this.#state.passes.length : 0;
    const before = this.#logged?.pass === pass ? this.#logged : undefined;
    const first = before?.size ?? (pass === 0 ? measure(this.#state, this.#state.before) : Number.POSITIVE_INFINITY);
    const isMuch = size <= first * (1 - worthALine);
    const isNews = size < first && now - (before?.at ?? this.#state.began) >= longestSilence;
    if (isMuch || isNews) this.#logged = { size, pass, at: now };
    return isMuch || isNews;
  }

  /** Prints above the panel. */
  say(text: string): void {
    this.#print(text.split('\n').map(line => [{ text: printable(line) }]));
    this.#draw();
  }

  /** Removes the panel; nothing is drawn after that. */
  close(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#deaf?.();
    this.#deaf = undefined;
    this.#closed = true;
    const rest = this.#erased() + this.#pending;
    this.#pending = '';
    if (rest) this.#out.write(rest);
  }

  /** What was proven, how much smaller, how many tests, how long, how to reproduce, and a short result itself. */
  finish(ending: Ending = {}): void {
    this.close();
    this.#print(this.#options.quiet ? quietLines(this.#state, ending) : summaryLines(this.#state, ending, this.#width));
  }

  /** A terminal without a size reports 0. */
  get #columns(): number {
    return this.#out.columns || 80;
  }

  get #width(): number {
    return this.#out.isTTY ? Math.max(1, this.#columns - 1) : plainWidth;
  }

  #print(lines: readonly Line[]): void {
    this.#pending += lines.map(line => `${print(line, this.colour)}\n`).join('');
    if (this.live && !this.#closed) {
      this.#draw();
      return;
    }
    this.#out.write(this.#pending);
    this.#pending = '';
  }

  #draw(): void {
    const hasBegun = this.#state !== nothingYet;
    if (!this.live || this.#closed || this.#clock() - this.#drawnAt < redrawAfter) return;
    if (!hasBegun && !this.#waiting) return;
    const lines = hasBegun ? this.#panel() : this.#wait();
    const panel = lines.map(line => `${print(line, this.colour)}\n`).join('');
    // One write for everything: nothing flickers, and a kill leaves nothing hidden.
    this.#out.write(`${this.#erased()}${this.#pending}${panel}`);
    this.#pending = '';
    this.#drawn = lines;
    this.#drawnAt = this.#clock();
  }

  #wait(): readonly Line[] {
    const { text, since } = this.#waiting!;
    return waitingLines(text, (this.#clock() - since) / 1000, this.#width);
  }

  #panel(): readonly Line[] {
    const panel = panelLines(this.#state, this.#clock(), this.#width);
    if (!this.#deaf) return panel;
    // Lines above the top of the screen can't be erased again.
    const rows = Math.min(lookedAt, (this.#out.rows || 24) - panel.length - 3);
    if (!this.#isLooking || rows < 2) return [...panel, cut([piece('c: show the candidate', 'faint')], this.#width)];
    return [
      ...panel,
      cut([piece('c: hide the candidate', 'faint')], this.#width),
      ...lookLines(this.#state, this.#candidate(), this.#width, rows),
    ];
  }

  /** Between two tests there is none: the last one stays, so that the panel does not flicker. */
  #candidate(): string | undefined {
    this.#lastCandidate = this.look() ?? this.#lastCandidate;
    return this.#lastCandidate;
  }

  #erased(): string {
    if (this.#drawn.length === 0) return '';
    // A terminal that was made narrower has wrapped the old lines.
    const rows = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / this.#columns)), 0);
    this.#drawn = [];
    return `\x1b[${rows}A\r\x1b[J`;
  }
}

function tick(milliseconds: number, call: () => void): () => void {
  const timer = setInterval(call, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
