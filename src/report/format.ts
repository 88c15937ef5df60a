/** Numbers, sizes and durations as text. The page has its own short version in assets/dom.js. */
import { grouped } from '../core/phrases.js';
import type { ReportState } from './state.js';
import { measure, unitOf } from './state.js';

/** `987 B`, `39.1 kB`, `1.20 MB`: three significant digits. */
export function bytes(value: number): string {
  if (value < 1000) return `${Math.round(value)} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let scaled = value / 1000;
  let unit = 0;
  while (scaled >= 999.5 && unit < units.length - 1) {
    scaled /= 1000;
    unit++;
  }
  return `${scaled.toPrecision(3)} ${units[unit]}`;
}

export const amount = (state: ReportState, value: number): string =>
  unitOf(state) === 'bytes' ? bytes(value) : grouped(value);

/** `8 bytes`, `1 delta`: in full, for sentences. */
export const amountInFull = (state: ReportState, value: number): string =>
  plural(value, unitOf(state) === 'bytes' ? 'byte' : 'delta');

export const plural = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

/** `0.4 s`, `12.3 s`, `2:05`, `1:02:05`. */
export function duration(seconds: number): string {
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

export const speed = (perSecond: number): string =>
  perSecond >= 9.95 ? `${grouped(perSecond)}/s` : `${perSecond.toFixed(1)}/s`;

/** The share that is left. Never `0 %` while something is left, never `100 %` once something is removed. */
export function share(part: number, whole: number): string {
  if (whole <= 0 || part >= whole) return part > 0 ? '100 %' : '0 %';
  const percent = (part / whole) * 100;
  if (part === 0) return '0 %';
  if (percent < 0.01) return '< 0.01 %';
  if (percent >= 99.95) return '99.9 %';
  return `${percent < 0.1 ? percent.toFixed(2) : percent.toFixed(1)} %`;
}

export const shareLeft = (state: ReportState): string =>
  share(measure(state, state.best), measure(state, state.before));

/** `line`, `line and token`, `line, token and character`; or with `or`. */
export const listed = (words: readonly string[], last: 'and' | 'or' = 'and'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
