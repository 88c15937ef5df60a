/** How a process ended: exit code or signal, even if a shell in between turned one into the other. */
import type { Run } from '../process/types.js';

/** Linux's numbers. A shell reports that signal n killed its child as exit 128 + n, and so do most wrappers. */
export const signalNumbers: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
  SIGXCPU: 24,
  SIGXFSZ: 25,
  SIGSYS: 31,
};
const signalNames = new Map(Object.entries(signalNumbers).map(([name, number]) => [number, name]));

/** The signal that ended the program, even if a shell in between turned it into an exit code. */
export function signalOf(run: Pick<Run, 'exit' | 'signal'>): string | undefined {
  if (run.signal !== undefined) return run.signal;
  return run.exit !== undefined && run.exit > 128 ? signalNames.get(run.exit - 128) : undefined;
}

/** `SIGSEGV`, `exit 1`. The same for a signal and for the exit code that a shell makes of it. */
export const endOf = (run: Pick<Run, 'exit' | 'signal'>): string => signalOf(run) ?? `exit ${run.exit ?? '?'}`;

/** `segv`, `SIGSEGV` and `11` name the same signal. */
export function signalNamed(name: string): string | undefined {
  const upper = name.toUpperCase();
  if (/^\d+$/.test(upper)) return signalNames.get(Number(upper));
  const full = upper.startsWith('SIG') ? upper : `SIG${upper}`;
  return full in signalNumbers ? full : undefined;
}
