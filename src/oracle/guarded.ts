/** Starts a server or program under test below a shell of ours, so that everything it starts ends with its test. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { describeExceeded } from './command/rules.js';
import { type Ended, keepEnds, type Running } from './http/process.js';
import { defaultProcesses, defaultTotal } from './process/index.js';
import {
  bornAfter,
  childrenOf,
  environOf,
  isGone,
  killBelow,
  lastPid,
  livingBelow,
  processOf,
  sendSignal,
} from './process/processes.js';
import { subreaper } from './process/subreaper.js';
import { type Exceeded, watchUsage } from './process/usage.js';

/**
 * The shell adopts orphaned descendants, reports on descriptor 3 how the program ended, and stays until it is killed. Its own
 * messages ("Segmentation fault") go to descriptor 4: they distinguish a signal from an exit with the same number.
 */
const script = `
trap : HUP INT QUIT ABRT ALRM TERM USR1 USR2 PIPE
exec 5>&2 2>&4 4>&-
[ "\${CULPRIT_PERL5OPT+set}" ] && { export PERL5OPT="$CULPRIT_PERL5OPT"; unset CULPRIT_PERL5OPT; }
if command -v "$1" >/dev/null 2>&1
then (exec 2>&5 3>&- 5>&- </dev/null; exec "$@"); status=$?
else echo 'not found' >&2; status=127
fi
exec >&- 2>&- 5>&-
echo $status >&3
read -r _
`;

export interface GuardOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** In the environment of everything that it starts, unless something removes it. */
  readonly mark: string;
  readonly processes?: number;
  /** Called when the shell starts or ends. */
  changed(pid: number, isAlive: boolean): void;
}

/** Milliseconds that a stream may stay open after the program ended, if a process that it started holds it. */
const grace = 200;
/** A process that survives SIGKILL for this many rounds hangs in the kernel. */
const rounds = 200;

export function startGuarded(argv: readonly string[], options: GuardOptions): Running {
  const since = lastPid();
  const [first = '', ...rest] = [...(subreaper() ?? []), '/bin/sh', '-c', script, 'culprit-guard', ...argv];
  const child = spawn(first, rest, {
    env: besidePerl(options.env),
    cwd: options.cwd,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const [, out, err, status, words] = child.stdio as unknown as readonly Readable[];
  const stdout = keepEnds(out!);
  const stderr = keepEnds(err!);
  const said = keepEnds(status!);
  const own = keepEnds(words!);
  for (const stream of child.stdio) stream?.on('error', () => {});
  const { pid } = child;
  let isOver = false;
  let exceeded: Exceeded | undefined;
  const allowed = { total: defaultTotal(), processes: options.processes ?? defaultProcesses };
  const stopWatching = pid === undefined ? () => {} : watchUsage(() => livingBelow(pid), allowed, stop);
  function stop(what: Exceeded): void {
    exceeded = what;
    killBelow(pid!);
  }
  if (pid !== undefined) options.changed(pid, true);

  const closed = (stream: Readable) => new Promise<void>(resolve => stream.once('close', () => resolve()));
  const drained = Promise.all([closed(out!), closed(err!)]);
  const gone = new Promise<void>(resolve => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  }).then(() => {
    isOver = true;
    stopWatching();
    if (pid !== undefined) options.changed(pid, false);
  });
  const ended = Promise.race([closed(words!), gone]).then(async (): Promise<Ended> => {
    isOver = true;
    stopWatching();
    // The status follows the closed descriptor immediately, unless the shell itself was killed.
    await Promise.race([
      new Promise<void>(resolve => status!.once('data', () => resolve())),
      gone,
      ...(said() ? [0] : []),
    ]);
    const timer = setTimeout(() => [out!, err!].forEach(stream => void stream.destroy()), grace);
    await drained;
    clearTimeout(timer);
    if (exceeded) return { limit: describeExceeded(exceeded) };
    return endOf(said(), own(), argv[0] ?? '');
  });
  return {
    get pid() {
      return pid === undefined ? undefined : childrenOf(pid)[0];
    },
    exited: ended,
    isOver: () => isOver,
    output: () => ({ stdout: stdout(), stderr: stderr() }),
    async kill() {
      if (pid !== undefined) {
        for (let i = 0; i < rounds && killBelow(pid) + killMarked(options.mark, since, pid) > 0; i++)
          await new Promise(resolve => setTimeout(resolve, Math.min(i, 25)));
        sendSignal(-pid, 'SIGKILL');
      }
      await gone;
      await ended;
    },
  };
}

/** The user's Perl settings are for the program under test, and not for the Perl one-liner that starts it. */
const besidePerl = ({ PERL5OPT, ...env }: Readonly<Record<string, string>>): Record<string, string> =>
  PERL5OPT === undefined ? env : { ...env, CULPRIT_PERL5OPT: PERL5OPT };

/** Without a subreaper, a process that left its session can be identified only by a variable. */
function killMarked(mark: string, since: number, guard: number): number {
  if (subreaper() !== undefined) return 0;
  let killed = 0;
  for (const pid of bornAfter(since))
    if (pid !== guard && environOf(pid).includes(mark) && !isGone(processOf(pid)) && sendSignal(pid, 'SIGKILL'))
      killed++;
  return killed;
}

/** SIGINT and SIGPIPE are the only two that a shell does not report in words. */
const silent = new Set([constants.signals.SIGINT, constants.signals.SIGPIPE]);

function endOf(status: string, words: string, program: string): Ended {
  const code = Number.parseInt(status, 10);
  if (Number.isNaN(code)) return { signal: 'SIGKILL' };
  if (code === 127 && words !== '') return { error: `spawn ${program} ENOENT` };
  const signal = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return signal !== undefined && (words !== '' || silent.has(code - 128)) ? { signal } : { exit: code };
}
