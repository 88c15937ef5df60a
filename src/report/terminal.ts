/** Shows a run on the terminal while it is running. */
import type { Event } from '../engine/events.js';
import { lastOf } from './log.js';
import {
  type Ending,
  improvementLine,
  openingLines,
  panelLines,
  quietLine,
  summaryLines,
  transcriptLine,
} from './panel.js';
import { harmless, type Line, print, widthOf } from './screen.js';
import { fold, nothingYet, type ReportState } from './state.js';

/** As much of a stream as is needed: process.stderr is one. */
export interface Out {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface TerminalOptions {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds. */
  readonly clock?: () => number;
  /** Calls back now and then, so that time goes on while a long test runs; returns how to end it. */
  readonly every?: (milliseconds: number, call: () => void) => () => void;
}

const redrawAfter = 100;
const plainWidth = 400;
/** Candidates fail in dozens of other ways; the first few are worth a line, the rest are counted and kept. */
const fewFailures = 3;

/**
 * What a person sees while a run goes: a panel that is redrawn in place on a terminal, a plain line per improvement
 * elsewhere (a pipe, a log, CI). It owns the last lines of the screen: whatever else is to be printed goes through `say`.
 */
export class Terminal {
  #state: ReportState = nothingYet;
  #drawn: readonly Line[] = [];
  #drawnAt = Number.NEGATIVE_INFINITY;
  #pending = '';
  #closed = false;
  #stop: (() => void) | undefined;
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

  see(event: Event): void {
    const before = this.#state;
    this.#state = fold(before, event, this.#clock());
    if (this.#options.quiet) return;
    const width = this.#width;
    switch (event.type) {
      case 'began':
        this.#print(openingLines(this.#state, width));
        if (this.live) this.#stop ??= (this.#options.every ?? tick)(250, () => this.#draw());
        break;
      case 'answered':
        if (this.#options.verbose) this.#print([transcriptLine(this.#state, lastOf(this.#state.recent)!, width)]);
        break;
      case 'reduced':
        if (!this.live && !this.#options.verbose) this.#print([improvementLine(this.#state, this.#clock(), width)]);
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

  /** Prints above the panel. */
  say(text: string): void {
    this.#print(text.split('\n').map(line => [{ text: harmless(line) }]));
    this.#draw();
  }

  /** The panel goes away, and nothing is drawn any more. */
  close(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#closed = true;
    const rest = this.#erased() + this.#pending;
    this.#pending = '';
    if (rest) this.#out.write(rest);
  }

  /** What was proven, how much smaller, how many tests, how long, how to reproduce, and a short result itself. */
  finish(ending: Ending = {}): void {
    this.close();
    this.#print(
      this.#options.quiet ? [quietLine(this.#state, ending)] : summaryLines(this.#state, ending, this.#width),
    );
  }

  get #width(): number {
    return this.#out.isTTY ? Math.max(1, (this.#out.columns ?? 80) - 1) : plainWidth;
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
    if (!this.live || this.#closed || this.#state === nothingYet || this.#clock() - this.#drawnAt < redrawAfter) return;
    const lines = panelLines(this.#state, this.#clock(), this.#width);
    const panel = lines.map(line => `${print(line, this.colour)}\n`).join('');
    // One write for all of it: nothing flickers, and nothing is hidden that a kill would leave so.
    this.#out.write(`${this.#erased()}${this.#pending}${panel}`);
    this.#pending = '';
    this.#drawn = lines;
    this.#drawnAt = this.#clock();
  }

  #erased(): string {
    if (this.#drawn.length === 0) return '';
    // A terminal made narrower since has wrapped the old lines.
    const columns = this.#out.columns ?? 80;
    const rows = this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
    this.#drawn = [];
    return `\x1b[${rows}A\r\x1b[J`;
  }
}

function tick(milliseconds: number, call: () => void): () => void {
  const timer = setInterval(call, milliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
