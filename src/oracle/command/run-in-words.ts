/** How a run ended and what it printed, for people. */
import type { Run } from '../process/types.js';
import { endOf } from '../signature/end.js';
import { readOutput } from '../signature/output.js';

/** The last meaningful lines, from stderr if it has any. */
export function excerpt(run: Pick<Run, 'stdout' | 'stderr'>, count = 8): readonly string[] {
  const spoken = (bytes: Uint8Array) => readOutput(bytes).lines.filter(line => line.trim() !== '');
  const errors = spoken(run.stderr);
  const lines = errors.length > 0 ? errors : spoken(run.stdout);
  const short = lines.map(line => (line.length > 160 ? `${line.slice(0, 159)}…` : line));
  if (short.length <= count) return short;
  const head = Math.ceil(count / 2);
  const tail = count - head;
  const left = short.length - count;
  return [...short.slice(0, head), `… ${left} more ${left === 1 ? 'line' : 'lines'} …`, ...short.slice(-tail)];
}

export const seconds = (value: number): string => `${value < 10 ? Number(value.toFixed(2)) : Math.round(value)} s`;

export function howItEnded(run: Run): string {
  if (run.timedOut) return `timeout after ${seconds(run.seconds)}`;
  const signal = endOf(run);
  return `${signal.startsWith('SIG') ? signal : `exit ${run.exit}`} in ${seconds(run.seconds)}`;
}
